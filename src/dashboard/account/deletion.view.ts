import { alert, html, type Html, type ShellFrame } from '../../edge/page/index.js';
import { DELETION_REFUSALS, type DeletionRefusal } from '../../money/personal-data/index.js';
import { questionPage } from '../layout.js';
import { paths } from '../paths.js';

export function deletionPage(frame: ShellFrame, refusal: DeletionRefusal | null): Html {
  const consequences = html`${refusal && alert('Your account was not deleted', html`<p>${DELETION_REFUSALS[refusal].text}</p>`)}
    <p>This can’t be undone. Your wallets must be empty: an amount below one satoshi or one cent is lost.</p>
    <ul class="tight">
      <li>Every browser is signed out, and API keys, connected apps and webhooks stop at once.</li>
      <li>Open invoices are cancelled, and payments to your Lightning address fail.</li>
      <li>Bitcoin that is on its way to an address of yours, or is sent there later, goes to the operator.</li>
      <li>Your history, your notes and the names in it are gone. <a href="${paths.exportData}">Download your data</a> first.</li>
      <li>No one can have your usernames again, you neither. Your e-mail address can register a new account.</li>
      <li>An app of yours that was approved stays for the people who use it, and belongs to the operator.</li>
    </ul>`;
  const title = 'Delete your account?';
  const actions = { action: paths.deleteAccount, button: 'Delete my account', cancel: paths.account };
  return questionPage(frame, { title, text: title, entry: 'account', isRefused: refusal !== null, ...actions }, consequences);
}
