import { WebhookService } from '../money/webhook/index.js';
import { accountNamed } from './named.js';
import { commandsOf, listed, required } from './command.js';

export const webhookCommands = commandsOf({
  name: 'webhook list',
  summary: 'Lists the webhook endpoints of an account: what waits for them, and how the latest delivery went',
  arguments: '<account>',
  details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
  async run(app, args) {
    const webhooks = app.get(WebhookService);
    const endpoints = await webhooks.list(await accountNamed(app, required(args, 'The account')));
    const found = await Promise.all(
      endpoints.map(async (endpoint) => ({ ...endpoint, latest: (await webhooks.deliveriesOf(endpoint.id))[0] ?? null })),
    );
    return listed(
      found,
      ({ id, url, waiting, disabledAt, latest }) => {
        const answer = latest && (latest.lastError ?? (latest.lastStatus === null ? 'not sent yet' : `HTTP ${latest.lastStatus}`));
        return `${id}  ${disabledAt ? 'disabled' : 'enabled'}  ${url}  ${waiting} wait${latest ? `, latest ${latest.state}: ${answer}` : ''}`;
      },
      'The account has no webhook endpoints.',
    );
  },
});
