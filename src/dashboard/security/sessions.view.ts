import {
  badge,
  csrfField,
  deviceName,
  html,
  moment,
  notice,
  outsideText,
  untrustedText,
  type Html,
  type ShellFrame,
  card,
} from '../../edge/page/index.js';
import type { ListedSession } from '../../access/session/index.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';
import { SECURITY } from './security.view.js';

export interface SessionsModel {
  readonly frame: ShellFrame;
  readonly sessions: readonly ListedSession[];
  readonly currentId: string;
  readonly hasEnded: boolean;
}

function row(session: ListedSession, { frame, currentId }: SessionsModel): Html {
  const { id, purpose, userAgent, address, createdAt, lastSeenAt } = session;
  const name = deviceName(userAgent);
  const form =
    id !== currentId &&
    html`<form method="post" action="${paths.endSession(id)}">
      ${csrfField(frame.csrf)}<button class="quiet small">Sign out<span class="hide"> ${outsideText(name)}</span></button>
    </form>`;
  return html`<li class="line apart">
    <div class="tight">
      <p><b>${untrustedText(name)}</b> ${id === currentId && badge('This device', 'good')} ${purpose === 'api' && badge('Script')}</p>
      <p class="sub">${untrustedText(address)} · Signed in: ${moment(createdAt, frame)} · Last used: ${moment(lastSeenAt, frame)}</p>
    </div>
    ${form}
  </li>`;
}

export function sessionsPage(model: SessionsModel): Html {
  const { frame, sessions, hasEnded } = model;
  const others = html`<form method="post" action="${paths.sessions}">
    ${csrfField(frame.csrf)}<button class="danger">Sign out all others</button>
  </form>`;
  const list = html`<ul class="rows">
      ${sessions.map((session) => row(session, model))}
    </ul>
    ${sessions.length > 1 && others}`;
  return dashboardPage(frame, { title: 'Where you are signed in', entry: 'security', back: SECURITY }, [
    hasEnded && notice(html`<p>Signed out. It takes effect everywhere within a second.</p>`, 'good'),
    card('Sessions', list, { sub: 'API keys and connected apps are not among them, and stay active.' }),
  ]);
}
