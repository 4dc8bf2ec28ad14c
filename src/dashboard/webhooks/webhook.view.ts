import {
  attributes,
  badge,
  buttonLink,
  csrfField,
  exact,
  facts,
  html,
  inWords,
  moment,
  notice,
  outsideText,
  secret,
  sinceWords,
  table,
  untrustedText,
  type Html,
  type HtmlValue,
  type ShellFrame,
  empty,
  field,
  card,
} from '../../edge/page/index.js';
import {
  MAX_LISTED_DELIVERIES,
  OVERLAP_HOURS,
  type ReplayOutcome,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  MAX_ENDPOINTS,
  type EndpointAddOutcome,
  URL_REFUSALS,
} from '../../money/webhook/index.js';
import { actorName } from '../activity/activity.view.js';
import { dashboardPage, questionPage } from '../layout.js';
import { paths } from '../paths.js';

const WEBHOOKS = { href: paths.webhooks, label: 'Webhooks' } as const;

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
  endpoint_disabled: 'The endpoint was disabled',
  secret_unreadable: 'The secret can’t be read: rotate it',
};

const resultOf = ({ lastStatus, lastError }: Pick<WebhookDeliveryRow, 'lastStatus' | 'lastError'>): string =>
  ERRORS[lastError ?? ''] ?? (lastStatus !== null ? `HTTP ${lastStatus}` : lastError === null ? '–' : 'Failed');

function healthOf({ disabledAt, failingSince, lastAttemptAt }: WebhookEndpointRow, frame: ShellFrame): HtmlValue {
  const since = disabledAt ?? failingSince;
  if (since)
    return html`${badge(disabledAt ? 'Disabled' : 'Failing', 'bad')}<br /><span class="sub">for ${sinceWords(since, frame.now)}</span>`;
  return lastAttemptAt ? badge('Works', 'good') : 'Nothing sent yet';
}

function addedBy({ apiKeyId: id, apiKeyName: name }: WebhookEndpointRow): Html | null {
  if (id === null) return null;
  const key =
    name === null ? 'an API key that is no longer kept' : html`<a href="${paths.key(id)}">${actorName({ kind: 'key', id, name })}</a>`;
  return html`<br /><span class="sub">added by ${key}</span>`;
}

const answerOf = (endpoint: WebhookEndpointRow, frame: ShellFrame): HtmlValue =>
  endpoint.lastAttemptAt ? html`${resultOf(endpoint)}<br /><span class="sub">${moment(endpoint.lastAttemptAt, frame)}</span>` : '–';

const button = (action: string, text: string, frame: ShellFrame, look: string | null = 'quiet small'): Html =>
  html`<form method="post" action="${action}">${csrfField(frame.csrf)}<button ${attributes({ class: look })}>${text}</button></form>`;

function cells(delivery: WebhookDeliveryRow, frame: ShellFrame): readonly HtmlValue[] {
  const { id, endpointId, sequence, eventType, createdAt, state, nextAttemptAt, attempts } = delivery;
  const seconds = nextAttemptAt && (nextAttemptAt.getTime() - frame.now.getTime()) / 1_000;
  // An attempt that is due is made within a second.
  const next = seconds !== null && html`<br /><span class="sub">${seconds > 0 ? `next attempt ${inWords(seconds)}` : 'sending now'}</span>`;
  return [
    html`${String(sequence)} <code>${eventType}</code>`,
    moment(createdAt, frame),
    html`${STATES[state]}${next}`,
    String(attempts),
    resultOf(delivery),
    (seconds === null || seconds > 0) &&
      button(paths.replayDelivery(endpointId, id), state === 'waiting' ? 'Send now' : 'Send again', frame),
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
  const again = deliveries.some(({ state }) => state === 'waiting') && html`<a href="${paths.webhook(endpoint.id)}">Check now</a>`;
  return html`<section class="card">
    <div class="line apart">
      <h2>Deliveries</h2>
      ${again} ${button(paths.testWebhook(endpoint.id), 'Send a test event', frame)}
    </div>
    ${deliveries.length > 0 ? list : html`<p>Nothing was delivered yet.</p>`}${bound}
  </section>`;
}

const REPLAYS: Readonly<Record<ReplayOutcome, Html>> = {
  replayed: notice(html`<p>Sending was requested.</p>`, 'good'),
  waiting: notice(html`<p>This delivery is being sent.</p>`),
  too_many: notice(html`<p>Too many deliveries are waiting. Try again later.</p>`, 'bad'),
  not_found: notice(html`<p>This delivery is no longer kept.</p>`, 'bad'),
};

const secretCard = ({ endpoint, frame }: WebhookModel): Html =>
  card(
    'Signing secret',
    html`<p>A new secret replaces this one. For ${String(OVERLAP_HOURS)} hours requests carry a signature of both.</p>
      ${button(paths.rotateWebhook(endpoint.id), 'Rotate secret', frame, 'quiet')}`,
  );

const disabledNotice = ({ endpoint, frame }: WebhookModel): Html =>
  notice(
    html`<p>
        <b>This endpoint is disabled.</b> Your server answered 410 Gone, so it gets no more requests at this URL. Events are kept below.
      </p>
      ${button(paths.enableWebhook(endpoint.id), 'Enable', frame, null)}`,
    'bad',
  );

export function webhookPage(model: WebhookModel): Html {
  const { endpoint, frame, replay } = model;
  const { url, createdAt, previousUntil, waiting, disabledAt } = endpoint;
  const details = facts([
    ['URL', html`<code>${untrustedText(url)}</code>${addedBy(endpoint)}`],
    ['Added', exact(createdAt)],
    ['State', healthOf(endpoint, frame)],
    ['Last answer', answerOf(endpoint, frame)],
    ['Waiting', String(waiting)],
    previousUntil !== null && previousUntil > frame.now && ['Old secret valid until', exact(previousUntil)],
  ]);
  const end = html`<p>Your server gets no more requests at this URL.</p>
    <p>${buttonLink(paths.deleteWebhook(endpoint.id), 'Delete this endpoint', 'quiet')}</p>`;
  return dashboardPage(frame, { title: 'Endpoint', text: `Endpoint ${outsideText(url)}`, entry: 'webhooks', back: WEBHOOKS }, [
    replay !== null && REPLAYS[replay],
    disabledAt !== null && disabledNotice(model),
    card('Details', details),
    deliveriesCard(model),
    secretCard(model),
    card('Delete', end),
  ]);
}

/** @param value shown on this page, once; null: it was shown before */
export function webhookSecretPage(frame: ShellFrame, endpoint: WebhookEndpointRow, value: string | null): Html {
  const shown = html`${notice(html`<p><b>Copy your secret now.</b> You won’t be able to see it again.</p>`)}
    ${value !== null && secret('secret', value, 'the secret')}
    <p>Your server verifies requests with it, by any library for Standard Webhooks.</p>`;
  const gone = html`<p>The endpoint still uses its secret. If you lost it, rotate it.</p>`;
  const title = value === null ? 'This secret can’t be shown again' : 'Your signing secret';
  const content = html`<section class="card">
    ${value === null ? gone : shown} ${facts([['URL', html`<code>${untrustedText(endpoint.url)}</code>`]])}
    <p>${buttonLink(paths.webhook(endpoint.id), value === null ? 'To the endpoint' : 'Done')}</p>
  </section>`;
  return dashboardPage(frame, { title, entry: 'webhooks', back: WEBHOOKS }, content);
}

const create = buttonLink(paths.newWebhook, 'Add an endpoint');
const none = empty('No endpoints', 'Your server can get a signed request for each payment as it happens.', create);

export function webhooksPage(frame: ShellFrame, endpoints: readonly WebhookEndpointRow[], isDeleted: boolean): Html {
  const page = {
    title: 'Webhooks',
    entry: 'webhooks',
    sub: 'Your server gets a signed request for each payment.',
    action: endpoints.length > 0 ? create : null,
  } as const;
  const list = table({
    caption: 'Endpoints',
    columns: ['URL', 'State', 'Last answer', 'Waiting'],
    rows: endpoints.map((endpoint) => [
      html`<a href="${paths.webhook(endpoint.id)}">${untrustedText(endpoint.url)}</a>${addedBy(endpoint)}`,
      healthOf(endpoint, frame),
      answerOf(endpoint, frame),
      String(endpoint.waiting),
    ]),
  });
  return dashboardPage(frame, page, [
    isDeleted && notice(html`<p>The endpoint is deleted.</p>`, 'good'),
    html`<section class="card" aria-label="Endpoints">${endpoints.length > 0 ? list : none}</section>`,
  ]);
}

type AddRefusal = Exclude<EndpointAddOutcome, { kind: 'added' }>;

const textOf = (error: AddRefusal): string =>
  error.kind === 'too_many'
    ? `You have ${MAX_ENDPOINTS} endpoints. Delete one you no longer need first.`
    : `${URL_REFUSALS[error.reason]}.`;

export function webhookNewPage(frame: ShellFrame, url: string, error: AddRefusal | null): Html {
  const problems = [error !== null && { field: 'url', text: error.kind === 'too_many' ? 'Too many endpoints' : 'This URL isn’t allowed' }];
  const shape = { name: 'url', label: 'URL', value: url, maxlength: 2_048, required: true, verbatim: true };
  const input = field({ ...shape, hint: 'For example: https://shop.example/hooks', error: error && textOf(error) });
  const content = html`<form class="card" method="post" action="${paths.webhooks}">
    ${csrfField(frame.csrf)}${input}
    <div class="line"><button>Add endpoint</button>${buttonLink(paths.webhooks, 'Cancel', 'quiet')}</div>
  </form>`;
  return dashboardPage(frame, { title: 'Add an endpoint', entry: 'webhooks', back: WEBHOOKS, problems }, content);
}

export function deleteWebhookPage(frame: ShellFrame, { id, url }: WebhookEndpointRow): Html {
  const question = { title: 'Delete this endpoint?', text: `Delete ${outsideText(url)}`, entry: 'webhooks', button: 'Delete' } as const;
  const consequences = html`<p><code>${untrustedText(url)}</code></p>
    <ul class="list">
      <li>Your server gets no more requests at this URL.</li>
      <li>Deliveries that are waiting are dropped, and the list of deliveries is deleted.</li>
      <li>This can’t be undone. You can add the URL again at any time, with a new secret.</li>
    </ul>`;
  return questionPage(frame, { ...question, action: paths.deleteWebhook(id), cancel: paths.webhook(id) }, consequences);
}
