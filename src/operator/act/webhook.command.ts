import { WebhookService, type WebhookEndpointRow } from '../../money/webhook/index.js';
import { accountNamed } from './named.js';
import { commandsOf, listed } from '../command/index.js';

type Health = Pick<WebhookEndpointRow, 'disabledAt' | 'failingSince' | 'lastAttemptAt'>;

function healthOf({ disabledAt, failingSince, lastAttemptAt }: Health): string {
  if (disabledAt) return `disabled since ${disabledAt.toISOString()}`;
  if (failingSince) return `fails since ${failingSince.toISOString()}`;
  return lastAttemptAt ? 'works' : 'not tried yet';
}

export const webhookCommands = commandsOf({
  name: 'webhook list',
  summary: 'Lists the webhook endpoints of an account: whether they work, the latest answer, and how many deliveries wait',
  arguments: '<account>',
  details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
  async run(call) {
    const endpoints = await call.get(WebhookService).list(await accountNamed(call, call.argument));
    return listed(
      endpoints,
      ({ id, url, waiting, lastAttemptAt, lastStatus, lastError, apiKeyId, apiKeyName, ...endpoint }) => {
        const answer = lastStatus === null ? lastError : `HTTP ${lastStatus}`;
        const latest = lastAttemptAt ? `, latest answer ${answer} at ${lastAttemptAt.toISOString()}` : '';
        const adder = apiKeyName === null ? 'an API key that is no longer kept' : `the API key "${apiKeyName}"`;
        return `${id}  ${healthOf({ ...endpoint, lastAttemptAt })}  ${url}  ${waiting} wait${latest}${apiKeyId === null ? '' : `, added by ${adder}`}`;
      },
      'The account has no webhook endpoints.',
    );
  },
});
