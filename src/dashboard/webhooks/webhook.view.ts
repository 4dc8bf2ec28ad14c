import {
  badge,
  buttonLink,
  csrfField,
  exact,
  facts,
  headline,
  html,
  inWords,
  moment,
  notice,
  outsideText,
  secret,
  shellPage,
  table,
  untrustedText,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../edge/page/index.js';
import {
  MAX_LISTED_DELIVERIES,
  OVERLAP_HOURS,
  type ReplayOutcome,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
} from '../../money/webhook/index.js';
import { paths } from '../paths.js';

export interface WebhookModel {
  readonly frame: ShellFrame;
  readonly endpoint: WebhookEndpointRow;
  readonly deliveries: readonly WebhookDeliveryRow[];
  readonly replay: ReplayOutcome | null;
}

const STATES = { waiting: badge('Waiting', 'wait'), delivered: badge('Delivered', 'good'), failed: badge('Failed', 'bad') } as const;
const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'No response within 10 seconds',
  unreachable: 'Not reachable',
  too_large: 'The response was too long',
  address_not_public: 'The address isn’t public',
  not_https: 'The address needs https',
  queue_full: 'Too many deliveries were waiting',
  secret_unreadable: 'The secret can’t be read: make a new one',
};

const resultOf = ({ lastStatus, lastError }: WebhookDeliveryRow): string => {
  if (lastStatus !== null) return `HTTP ${lastStatus}`;
  return lastError === null ? '–' : (ERRORS[lastError] ?? 'Failed');
};

const replayForm = ({ id, endpointId }: WebhookDeliveryRow, frame: ShellFrame): Html =>
  html`<form method="post" action="${paths.replayDelivery(endpointId, id)}">
    ${csrfField(frame.csrf)}<button class="quiet small">Send again</button>
  </form>`;

/** Attempts that are due are made within a second. */
const whenDue = (at: Date, { now }: ShellFrame): string => (at <= now ? 'now' : inWords((at.getTime() - now.getTime()) / 1_000));

function cells(delivery: WebhookDeliveryRow, frame: ShellFrame): readonly HtmlValue[] {
  const { sequence, eventType, createdAt, state, nextAt, attempts } = delivery;
  const next = state === 'waiting' && nextAt && attempts > 0 && html`<br /><span class="sub">next attempt ${whenDue(nextAt, frame)}</span>`;
  return [
    html`${String(sequence)} <code>${eventType}</code>`,
    moment(createdAt, frame),
    html`${STATES[state]}${next}`,
    String(attempts),
    resultOf(delivery),
    state === 'waiting' ? '' : replayForm(delivery, frame),
  ];
}

function deliveriesCard({ deliveries, endpoint, frame }: WebhookModel): Html {
  const list = table({
    caption: 'Deliveries',
    columns: ['Event', 'Time', 'State', 'Attempts', 'Result', ''],
    rows: deliveries.map((delivery) => cells(delivery, frame)),
  });
  const bound =
    deliveries.length === MAX_LISTED_DELIVERIES && html`<p class="sub">The latest ${String(MAX_LISTED_DELIVERIES)} are shown.</p>`;
  const isWaiting = deliveries.some(({ state }) => state === 'waiting');
  const again = isWaiting && html`<a href="${paths.webhook(endpoint.id)}">Check now</a>`;
  return html`<section class="card">
    <div class="line apart">
      <h2>Deliveries</h2>
      ${again}
    </div>
    ${deliveries.length > 0 ? list : html`<p>Nothing was delivered yet.</p>`}${bound}
  </section>`;
}

const REPLAYS: Readonly<Record<ReplayOutcome, Html>> = {
  replayed: notice(html`<p>The delivery is sent again.</p>`, 'good'),
  waiting: notice(html`<p>This delivery is still waiting: it will be sent by itself.</p>`),
  too_many: notice(html`<p>Too many deliveries are waiting. Try again later.</p>`, 'bad'),
  not_found: notice(html`<p>This delivery is no longer kept.</p>`, 'bad'),
};

const secretCard = ({ endpoint, frame }: WebhookModel): Html =>
  html`<section class="card">
    <h2>Signing secret</h2>
    <p>A new secret replaces this one. For ${String(OVERLAP_HOURS)} hours requests carry a signature of both.</p>
    <form method="post" action="${paths.rotateWebhook(endpoint.id)}">
      ${csrfField(frame.csrf)}<button class="quiet">Make a new secret</button>
    </form>
  </section>`;

export function webhookPage(model: WebhookModel): Html {
  const { endpoint, frame, replay } = model;
  const { url, createdAt, previousUntil, waiting } = endpoint;
  const isOverlap = previousUntil !== null && previousUntil > frame.now;
  const body = html`${headline({ title: 'Endpoint', back: { href: paths.webhooks, label: 'Webhooks' } })}
    ${replay !== null && REPLAYS[replay]}
    <section class="card">
      <h2>Details</h2>
      ${facts([
        ['URL', html`<code>${untrustedText(url)}</code>`],
        ['Added', exact(createdAt)],
        ['Waiting', String(waiting)],
        isOverlap && ['Old secret valid until', exact(previousUntil)],
      ])}
    </section>
    ${deliveriesCard(model)} ${secretCard(model)}
    <section class="card">
      <h2>Delete</h2>
      <p>Your server gets no more requests at this URL.</p>
      <p>${buttonLink(paths.deleteWebhook(endpoint.id), 'Delete this endpoint', 'quiet')}</p>
    </section>`;
  return shellPage(frame, { title: `Endpoint ${outsideText(url)}`, currentEntry: 'webhooks', body });
}

export interface WebhookSecretModel {
  readonly frame: ShellFrame;
  readonly endpoint: WebhookEndpointRow;
  /** Shown on this page, once; null: it was shown before. */
  readonly secret: string | null;
}

export function webhookSecretPage({ frame, endpoint, secret: value }: WebhookSecretModel): Html {
  const shown = html`${notice(html`<p><b>Copy your secret now.</b> You won’t be able to see it again.</p>`)}
    ${value !== null && secret('secret', value, 'the secret')}
    <p>Your server verifies requests with it, by any library for Standard Webhooks.</p>`;
  const gone = html`<p>The endpoint still uses its secret. If you lost it, make a new one.</p>`;
  const title = value === null ? 'This secret can’t be shown again' : 'Your signing secret';
  const body = html`${headline({ title, back: { href: paths.webhooks, label: 'Webhooks' } })}
    <section class="card">
      ${value === null ? gone : shown} ${facts([['URL', html`<code>${untrustedText(endpoint.url)}</code>`]])}
      <p>${buttonLink(paths.webhook(endpoint.id), value === null ? 'To the endpoint' : 'Done')}</p>
    </section>`;
  return shellPage(frame, { title, currentEntry: 'webhooks', body });
}
