import { attributes, csrfField, empty, html, moment, notice, type Html, type ShellFrame, card } from '../../edge/page/index.js';
import { MAIL_CHOICES, noticeText, type NoticeKind, type NoticeRow } from '../../access/notice/index.js';
import { pager, type PageLinks } from '../activity/page-links.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';

export interface NoticesModel extends PageLinks {
  readonly frame: ShellFrame;
  readonly notices: readonly Omit<NoticeRow, 'id'>[];
  /** The kinds without mail; null: this server sends no mail. */
  readonly unmailed: readonly NoticeKind[] | null;
  readonly isSaved?: boolean;
}

function row({ kind, details, at }: Omit<NoticeRow, 'id'>, frame: ShellFrame): Html {
  const { label, say, link } = noticeText(kind);
  const act = link && html`<p><a href="${link[1](details)}">${link[0]}</a></p>`;
  return html`<li class="tight">
    <p class="line apart"><b>${label}</b> <span class="sub">${moment(at, frame)}</span></p>
    <p>${say(details)}</p>
    ${act}
  </li>`;
}

function mailCard(unmailed: readonly NoticeKind[], frame: ShellFrame): Html {
  const boxes = MAIL_CHOICES.map((kind) => {
    const box = attributes({ type: 'checkbox', name: 'mail', value: kind, checked: !unmailed.includes(kind) });
    return html`<label class="scope"
      ><input ${box} /><span><b>${noticeText(kind).label}</b></span></label
    >`;
  });
  const form = html`<form class="stack" method="post" action="${paths.notices}">
    ${csrfField(frame.csrf)}
    <fieldset class="stack">
      <legend>Also send me mail about</legend>
      ${boxes}
    </fieldset>
    <button>Save</button>
  </form>`;
  return card('Mail', form, {
    sub: 'Sign-ins from new browsers, and changes of your password, factors and e-mail address are always mailed.',
    id: 'mail',
  });
}

export function noticesPage({ frame, notices, unmailed, olderHref, newerHref, isSaved }: NoticesModel): Html {
  const list =
    notices.length > 0
      ? html`<ul class="rows">
          ${notices.map((each) => row(each, frame))}
        </ul>`
      : empty('Nothing yet', 'Sign-ins, new apps, keys that expire and changes of your account appear here.');
  const saved = notice(html`<p>Your choice is saved.</p>`, 'good');
  const content = [
    isSaved && saved,
    html`<section class="card">${list}</section>`,
    pager({ olderHref, newerHref }),
    unmailed && mailCard(unmailed, frame),
  ];
  return dashboardPage(frame, { title: 'Activity', entry: 'activity', sub: 'What happened to your account in the last year.' }, content);
}
