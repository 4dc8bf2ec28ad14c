// What each error code means, where it appears, its HTTP status, and what its reader does: `npm run docs` writes them into the table of
// docs/reference/error-codes.md.
const handling = (meaning, where, status, action) => ({ meaning, where, status, action });

const PAYLOAD = 'payload';
const RESPONSE = 'response';
const BOTH = 'payload, response';
const OK = '200';

const document = handling(
  'the document or its variables are not valid GraphQL under this schema',
  RESPONSE,
  '200 or 400',
  'correct the document',
);

export const ERROR_HANDLING = {
  ACCESS_PAUSED: handling(
    'the owner of the account, or the operator for all accounts, has paused API keys and apps. Before GraphQL it is HTTP 403, and sockets close with 4403; in a payload the pause came after the request, and nothing was sent',
    BOTH,
    '403 or 200',
    'keep the credential, and try again later: it works again when access is resumed',
  ),
  INVALID_INPUT: handling('a value is invalid; `path` names it, `message` has the rule', BOTH, OK, 'correct the value that `path` names'),
  NOT_FOUND: handling(
    'the wallet, invoice, transaction, user, key, webhook endpoint or delivery does not exist, or belongs to another account',
    BOTH,
    OK,
    'check the id, and whose credential it is',
  ),
  API_KEY_ENDED: handling('the API key was revoked or has expired, so its limits cannot be changed', RESPONSE, OK, 'create another key'),
  INVOICE_DECODE_ERROR: handling(
    'the text is not a Lightning invoice, or the invoice is for another network',
    BOTH,
    OK,
    'ask the recipient for the invoice again',
  ),
  INSUFFICIENT_BALANCE: handling(
    'the balance does not cover the amount and the fee limit',
    PAYLOAD,
    OK,
    'pay less, or receive money first',
  ),
  CANT_PAY_SELF: handling('payer and recipient are the same wallet', PAYLOAD, OK, 'choose another recipient'),
  ROUTE_FINDING_ERROR: handling('no route to the recipient; nothing was charged', PAYLOAD, OK, 'try again later, or pay less'),
  LIGHTNING_PAYMENT_ERROR: handling(
    'the invoice is expired, cancelled or paid by another account, or the payment failed; nothing was charged',
    PAYLOAD,
    OK,
    'ask the recipient for a new invoice',
  ),
  INVOICE_BEING_PAID: handling(
    'another account is paying this invoice, for longer than the five seconds that a payment waits for its turn; nothing was sent',
    PAYLOAD,
    OK,
    'wait for the end of that payment',
  ),
  INVOICE_TEXT_MISMATCH: handling(
    "the text differs from this server's invoice with the same payment hash; ask the recipient for the invoice again",
    PAYLOAD,
    OK,
    'ask the recipient for the invoice again',
  ),
  LNURL_REQUEST_INVOICE_ERROR: handling(
    'the server of the Lightning address or LNURL did not return a valid invoice: it does not exist, is unreachable, or refused; nothing was sent, try again',
    PAYLOAD,
    OK,
    'check the address; try again later',
  ),
  PAYMENT_BUSY: handling('the wallet or the invoice is locked; nothing was sent, try again', PAYLOAD, OK, 'try again in a second'),
  PAYMENT_NOT_SENT: handling('the payment could not be started; nothing was sent, try again', PAYLOAD, OK, 'try again in a second'),
  ACCOUNT_FROZEN: handling(
    'the operator has stopped the payments of this account; nothing was sent, and payments still arrive',
    PAYLOAD,
    OK,
    'ask the operator',
  ),
  SENDS_STOPPED: handling(
    'the operator, or a failed audit, has stopped the payments of all accounts; nothing was sent, try again later',
    PAYLOAD,
    OK,
    'try again later, or ask the operator',
  ),
  TRANSACTION_RESTRICTED: handling(
    'the payment exceeds a spending limit of the API key or app that sends it, or what its account may send in 24 hours; nothing was sent',
    PAYLOAD,
    OK,
    'send less, wait until the window has moved on, or let the owner raise the limit of the key or app; the limits of the account are in `Account.limits`',
  ),
  PRICE_UNAVAILABLE: handling('there is no price to be trusted now; try again later', BOTH, OK, 'try again in a minute'),
  DEALER_LIMIT: handling(
    'customers of this server have as many dollars as its operator allows, or an account as many dollars of open invoices; nothing was sent, try again later or a smaller amount',
    PAYLOAD,
    OK,
    'use a bitcoin wallet, or try again later',
  ),
  INVOICE_PRICE_MOVED: handling(
    'the price of dollars has moved since this invoice of this server was created, so that it would cost more than 0.5 % more than it states; nothing was sent',
    PAYLOAD,
    OK,
    'ask the recipient for another invoice',
  ),
  TOO_MANY_APPROVALS: handling('too many payments wait for their owner; nothing was sent', PAYLOAD, OK, 'try again when one has ended'),
  APPROVAL_DENIED: handling('the owner has denied the payment; nothing was sent', PAYLOAD, OK, 'ask the owner'),
  APPROVAL_EXPIRED: handling('the owner did not approve the payment in time; nothing was sent', PAYLOAD, OK, 'send it under another key'),
  APPROVAL_OUTDATED: handling('it would cost more than the owner has approved; nothing was sent', PAYLOAD, OK, 'send it under another key'),
  LND_OFFLINE: handling(
    'the Lightning node is unreachable, or refused to create the invoice; try again',
    PAYLOAD,
    OK,
    'try again in a minute',
  ),
  LIGHTNING_UNSUPPORTED: handling(
    'the Lightning node of this server cannot do this; nothing was sent or changed, and a repeated request gets the same answer',
    PAYLOAD,
    OK,
    'do not repeat it; ask the operator',
  ),
  LIQUIDITY: handling('this server has too few bitcoin on chain now; nothing was sent', PAYLOAD, OK, 'pay over Lightning, or wait'),
  ONCHAIN_UNSUPPORTED: handling('this server has no on-chain wallet, so it has no addresses and pays none', PAYLOAD, OK, 'use Lightning'),
  ACCOUNT_NOT_EMPTY: handling('the account has money, so it was not deleted', PAYLOAD, OK, 'send the money first'),
  PAYMENT_IN_FLIGHT: handling('a payment of the account is in flight, so it was not deleted', PAYLOAD, OK, 'repeat it when that has ended'),
  INVOICE_OPEN: handling(
    'an invoice of the account can still be paid, so it was not deleted',
    PAYLOAD,
    OK,
    'repeat the request in a minute, or when the invoice has expired',
  ),
  OPERATOR_ACCOUNT: handling('the account of an operator is not deleted', PAYLOAD, OK, 'let another operator end the role first'),
  USERNAME_ERROR: handling(
    'the username is taken or reserved, or it was changed in the last 90 days',
    PAYLOAD,
    OK,
    'choose another username, or keep it',
  ),
  REGISTRATION_CLOSED: handling(
    'this server lets no person register (`REGISTRATION=closed`); ask its operator for an account',
    'the page Register',
    '403',
    'ask the operator for an account',
  ),
  INVITATION_INVALID: handling(
    'registering needs an invitation, and this one is mistyped, used, revoked or expired; ask the operator for a new one',
    'the page Register',
    '422',
    'ask the operator for a new invitation',
  ),
  ENDPOINT_URL_REFUSED: handling(
    'webhooks are not sent to this URL: it is without TLS, has credentials in it, or its address is not public',
    PAYLOAD,
    OK,
    'use a public address with https',
  ),
  NOT_AUTHENTICATED: handling(
    'the field requires a credential, and the request has none; in the payload of a payment: the credential ended before the payment began, and nothing was sent',
    BOTH,
    OK,
    'send a credential',
  ),
  INSUFFICIENT_USER_AUTHENTICATION: handling(
    'the change needs a sign-in of the last `extensions.max_age` seconds, with the second factor if the user has one; nothing was changed',
    RESPONSE,
    OK,
    'sign in again, and repeat the request with the new session token',
  ),
  INSUFFICIENT_SCOPE: handling(
    'the credential lacks a scope; `extensions.scope` lists the scopes of which any one suffices',
    RESPONSE,
    OK,
    'use a credential with one of the scopes',
  ),
  NOT_AUTHORIZED: handling(
    'requires a signed-in user, or an app that the operator trusts with keys; no scope is enough',
    RESPONSE,
    OK,
    'sign in',
  ),
  TOO_MANY_REQUEST: handling(
    'a rate limit is exceeded, see [limits.md](limits.md)',
    BOTH,
    '200, or 429 for the whole request',
    'wait as long as `Retry-After` says',
  ),
  QUERY_TOO_COMPLEX: handling(
    'the document exceeds a limit: length, depth, cost, aliases or repeated fields',
    RESPONSE,
    '200 or 400',
    'request less at a time',
  ),
  RESPONSE_TOO_LARGE: handling(
    'the response of a query would exceed its limit, 4 MiB by default; request fewer fields or smaller pages',
    RESPONSE,
    OK,
    'request less at a time',
  ),
  IDEMPOTENCY_CONFLICT: handling(
    'this idempotency key was already used for a different request',
    RESPONSE,
    OK,
    'use a new key for a new request',
  ),
  IDEMPOTENCY_IN_PROGRESS: handling(
    'the first request with this key is still in progress; try again',
    RESPONSE,
    OK,
    'repeat it with the same key',
  ),
  IDEMPOTENCY_SECRET_WITHHELD: handling(
    'the first response contained a secret, which Sluice does not store; nothing was created twice',
    RESPONSE,
    OK,
    'revoke what was created, and create it again with a new key',
  ),
  GRAPHQL_PARSE_FAILED: document,
  GRAPHQL_VALIDATION_FAILED: document,
  BAD_USER_INPUT: document,
  OPERATION_RESOLUTION_FAILURE: document,
  BAD_REQUEST: handling(
    'the request has no document, or its body is unreadable, too long or nested too deeply; HTTP 400 or 413',
    RESPONSE,
    '400 or 413',
    'send `query` as JSON, within the limits of a body',
  ),
  PERSISTED_QUERY_NOT_FOUND: handling(
    'unknown document hash: send the whole document with the hash (APQ clients do so automatically)',
    RESPONSE,
    OK,
    'send the document',
  ),
  OPERATION_NOT_SUPPORTED: handling(
    'a query or mutation over a WebSocket, a subscription over HTTP',
    RESPONSE,
    '200 or 400',
    'use the other transport',
  ),
  SERVICE_UNAVAILABLE: handling(
    "the server is starting or stopping, the database is unavailable, or too many of the caller's requests are waiting: HTTP 503 with `Retry-After`. In the errors of a payload, and on the page Register: the organisation's policy has failed, and nothing was done. After a field of a mutation has begun, it is HTTP 200 with `data` and the error of the failed field: do not repeat the whole request",
    RESPONSE,
    '503, or 200 with `data`',
    'after 503, repeat it when `Retry-After` has passed; after 200, read what was done first',
  ),
  INTERNAL_SERVER_ERROR: handling(
    'server error; the log has it under `extensions.reference`',
    RESPONSE,
    '200, or 500 outside of GraphQL',
    'report the reference to the operator; repeat a mutation with the same idempotency key only',
  ),
};
