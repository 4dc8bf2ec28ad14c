import {
  buttonLink,
  csrfField,
  errorSummary,
  headline,
  html,
  shellPage,
  type FormProblem,
  type Headline,
  type Html,
  type HtmlValue,
  type PageContent,
  type ShellFrame,
} from '../edge/page/index.js';

export { card } from '../edge/page/index.js';

interface DashboardPage extends Headline, Pick<PageContent, 'refreshSeconds'> {
  readonly title: Html | string;
  readonly text?: Html | string;
  readonly entry: 'wallet' | 'history' | 'account' | 'activity' | 'keys' | 'apps' | 'security' | 'webhooks' | 'developer';
  readonly problems?: readonly (FormProblem | false)[];
}

export function dashboardPage(
  frame: ShellFrame,
  { text, entry, refreshSeconds, problems: found = [], ...top }: DashboardPage,
  content: HtmlValue,
): Html {
  const problems = found.filter((problem) => problem !== false);
  const body = html`${headline(top)} ${errorSummary(problems)} ${content}`;
  return shellPage(frame, { title: text ?? top.title, currentEntry: entry, error: problems.length > 0, refreshSeconds, body });
}

/** Says that there is nothing to do, with a link to where the person came from. */
export const gonePage = (frame: ShellFrame, page: DashboardPage & Required<Pick<Headline, 'back'>>, what: Html, link: string): Html =>
  dashboardPage(
    frame,
    page,
    html`<section class="card">
      <p>${what}</p>
      <p>${buttonLink(page.back.href, link)}</p>
    </section>`,
  );

interface Question extends Pick<DashboardPage, 'title' | 'entry'> {
  /** It was refused: `consequences` says why. */
  readonly isRefused?: boolean;
  readonly text: Html | string;
  readonly action: string;
  readonly button: string;
  readonly cancel: string;
}

/** Asks before an act that can't be undone. */
export function questionPage(
  frame: ShellFrame,
  { title, text, entry, action, button, cancel, isRefused }: Question,
  consequences: Html,
): Html {
  const body = html`<h1>${title}</h1>

    <form class="card" method="post" action="${action}">
      ${csrfField(frame.csrf)} ${consequences}
      <div class="line"><button class="danger">${button}</button>${buttonLink(cancel, 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: text, currentEntry: entry, error: isRefused === true, body });
}
