import type { PaymentApprovalEntity } from '../../money/payment/index.js';
import { msatOfSats, satsCeil } from '../../platform/kernel/money.js';
import { attributes, bitcoin, csrfField, html, notice, soon, type Html, type Money, type ShellFrame } from '../../edge/page/index.js';
import { actorName, type Activity } from '../activity/activity.view.js';
import { paths } from '../paths.js';

interface Found {
  readonly wallet: 'BTC' | 'USD';
  readonly held: Money | null;
}

/** What waits has nothing reserved: the page shows the most that an approval is of. */
export function withApproval<Model extends Found>(
  model: Model,
  approval: PaymentApprovalEntity | undefined,
): Model & { readonly approval?: PaymentApprovalEntity } {
  if (approval === undefined || approval.state === 'ended') return model;
  const most = model.wallet === 'BTC' ? bitcoin(msatOfSats(satsCeil(approval.mostMsat))) : model.held;
  return { ...model, approval, held: most };
}

const decision = (action: string, button: string, csrf: string, kind?: string): Html =>
  html`<form method="post" action="${action}">${csrfField(csrf)}<button ${attributes({ class: kind })}>${button}</button></form>`;

/** A question in the place of the news of a payment; nothing changes without the forms. */
export function approvalNews(
  { activity, frame }: { readonly activity: Activity; readonly frame: ShellFrame },
  { id, state, expiresAt }: PaymentApprovalEntity,
): Html {
  if (state === 'approved')
    return notice(
      html`<p data-due="2"><b>You have approved it.</b> It is being sent. <a href="${paths.transaction(id)}">Check now</a></p>`,
    );
  if (expiresAt <= frame.now) return notice(html`<p data-due="5"><b>It has expired.</b> Nothing was sent.</p>`);
  const asker = activity.by === null ? 'A key or app' : actorName(activity.by);
  return html`${notice(
      html`<p>
        <b>This payment waits for you.</b> ${asker} asks for it. Nothing is sent or reserved unless you approve it. It ends by itself at
        ${soon(expiresAt, frame)}.
      </p>`,
    )}
    <div class="line">
      ${decision(paths.approvePayment(id), 'Approve', frame.csrf)} ${decision(paths.denyPayment(id), 'Deny', frame.csrf, 'quiet')}
    </div>`;
}
