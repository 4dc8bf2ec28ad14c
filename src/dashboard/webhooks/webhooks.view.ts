import {
  buttonLink,
  csrfField,
  day,
  empty,
  errorSummary,
  field,
  headline,
  html,
  notice,
  outsideText,
  shellPage,
  table,
  untrustedText,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { MAX_ENDPOINTS, type EndpointAddOutcome, type UrlRefusal, type WebhookEndpointRow } from '../../money/webhook/index.js';
import { paths } from '../paths.js';

export interface WebhooksModel {
  readonly frame: ShellFrame;
  readonly endpoints: readonly WebhookEndpointRow[];
  readonly isDeleted: boolean;
}

const create = buttonLink(paths.newWebhook, 'Add an endpoint');
const none = empty('No endpoints', 'Your server can get a signed request for each payment as it happens.', create);

export function webhooksPage({ frame, endpoints, isDeleted }: WebhooksModel): Html {
  const title = {
    title: 'Webhooks',
    sub: 'Your server gets a signed request for each payment.',
    action: endpoints.length > 0 ? create : null,
  };
  const list = table({
    caption: 'Endpoints',
    columns: ['URL', 'Added', 'Waiting'],
    rows: endpoints.map(({ id, url, createdAt, waiting }) => [
      html`<a href="${paths.webhook(id)}">${untrustedText(url)}</a>`,
      day(createdAt),
      String(waiting),
    ]),
  });
  const body = html`${headline(title)} ${isDeleted && notice(html`<p>The endpoint is deleted.</p>`, 'good')}
    <section class="card" aria-label="Endpoints">${endpoints.length > 0 ? list : none}</section>`;
  return shellPage(frame, { title: 'Webhooks', currentEntry: 'webhooks', body });
}

export interface WebhookNewModel {
  readonly frame: ShellFrame;
  readonly url: string;
  readonly error: Exclude<EndpointAddOutcome, { kind: 'added' }> | null;
}

const REFUSALS: Readonly<Record<UrlRefusal, string>> = {
  invalid_url: 'Enter a URL that begins with https, such as https://shop.example/hooks, without a user name or password.',
  not_https: 'Use a URL that begins with https.',
  address_not_public: 'Use a public address. This one belongs to a private network.',
};
const textOf = (error: NonNullable<WebhookNewModel['error']>): string =>
  error.kind === 'too_many' ? `You have ${MAX_ENDPOINTS} endpoints. Delete one you no longer need first.` : REFUSALS[error.reason];

export function webhookNewPage({ frame, url, error }: WebhookNewModel): Html {
  const problems =
    error === null ? [] : [{ field: 'url', text: error.kind === 'too_many' ? 'Too many endpoints' : 'This URL isn’t allowed' }];
  const input = field({
    name: 'url',
    label: 'URL',
    hint: 'For example: https://shop.example/hooks',
    error: error && textOf(error),
    value: url,
    autocomplete: 'off',
    maxlength: 2_048,
    required: true,
    verbatim: true,
  });
  const body = html`${headline({ title: 'Add an endpoint', back: { href: paths.webhooks, label: 'Webhooks' } })} ${errorSummary(problems)}

    <form class="card" method="post" action="${paths.webhooks}">
      ${csrfField(frame.csrf)}${input}
      <div class="line"><button>Add endpoint</button>${buttonLink(paths.webhooks, 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: 'Add an endpoint', currentEntry: 'webhooks', error: problems.length > 0, body });
}

export function deleteWebhookPage({ frame, endpoint }: { readonly frame: ShellFrame; readonly endpoint: WebhookEndpointRow }): Html {
  const { id, url } = endpoint;
  const body = html`<h1>Delete this endpoint?</h1>

    <form class="card" method="post" action="${paths.deleteWebhook(id)}">
      ${csrfField(frame.csrf)}
      <p><code>${untrustedText(url)}</code></p>
      <ul class="list">
        <li>Your server gets no more requests at this URL.</li>
        <li>Deliveries that are waiting are dropped, and the list of deliveries is deleted.</li>
        <li>This can’t be undone. You can add the URL again at any time, with a new secret.</li>
      </ul>
      <div class="line"><button class="danger">Delete</button>${buttonLink(paths.webhook(id), 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: `Delete ${outsideText(url)}`, currentEntry: 'webhooks', body });
}
