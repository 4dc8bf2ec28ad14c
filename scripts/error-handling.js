// Where each error code appears, its HTTP status, and what its reader does: `npm run docs` writes them beside the meaning of the code into the
// table of docs/reference/error-codes.md.
const handling = (where, status, action) => ({ where, status, action });

const PAYLOAD = 'payload';
const RESPONSE = 'response';
const BOTH = 'payload, response';
const OK = '200';

const document = handling(RESPONSE, '200 or 400', 'correct the document');

export const ERROR_HANDLING = {
  INVALID_INPUT: handling(BOTH, OK, 'correct the value that `path` names'),
  NOT_FOUND: handling(BOTH, OK, 'check the id, and whose credential it is'),
  API_KEY_ENDED: handling(RESPONSE, OK, 'create another key'),
  INVOICE_DECODE_ERROR: handling(BOTH, OK, 'ask the recipient for the invoice again'),
  INSUFFICIENT_BALANCE: handling(PAYLOAD, OK, 'pay less, or receive money first'),
  CANT_PAY_SELF: handling(PAYLOAD, OK, 'choose another recipient'),
  ROUTE_FINDING_ERROR: handling(PAYLOAD, OK, 'try again later, or pay less'),
  LIGHTNING_PAYMENT_ERROR: handling(PAYLOAD, OK, 'ask the recipient for a new invoice'),
  INVOICE_BEING_PAID: handling(PAYLOAD, OK, 'wait for the end of that payment'),
  INVOICE_TEXT_MISMATCH: handling(PAYLOAD, OK, 'ask the recipient for the invoice again'),
  LNURL_REQUEST_INVOICE_ERROR: handling(PAYLOAD, OK, 'check the address; try again later'),
  PAYMENT_BUSY: handling(PAYLOAD, OK, 'try again in a second'),
  PAYMENT_NOT_SENT: handling(PAYLOAD, OK, 'try again in a second'),
  ACCOUNT_FROZEN: handling(PAYLOAD, OK, 'ask the operator'),
  SENDS_STOPPED: handling(PAYLOAD, OK, 'try again later, or ask the operator'),
  TRANSACTION_RESTRICTED: handling(
    PAYLOAD,
    OK,
    'send less, wait until the window has moved on, or let the owner raise the limit of the key or app; the limits of the account are in `Account.limits`',
  ),
  PRICE_UNAVAILABLE: handling(BOTH, OK, 'try again in a minute'),
  DEALER_LIMIT: handling(PAYLOAD, OK, 'use a bitcoin wallet, or try again later'),
  LND_OFFLINE: handling(PAYLOAD, OK, 'try again in a minute'),
  LIGHTNING_UNSUPPORTED: handling(PAYLOAD, OK, 'do not repeat it; ask the operator'),
  USERNAME_ERROR: handling(PAYLOAD, OK, 'keep the username'),
  REGISTRATION_CLOSED: handling('the page Register', '403', 'ask the operator for an account'),
  INVITATION_INVALID: handling('the page Register', '422', 'ask the operator for a new invitation'),
  ENDPOINT_URL_REFUSED: handling(PAYLOAD, OK, 'use a public address with https'),
  NOT_AUTHENTICATED: handling(RESPONSE, OK, 'send a credential'),
  INSUFFICIENT_SCOPE: handling(RESPONSE, OK, 'use a credential with one of the scopes'),
  NOT_AUTHORIZED: handling(RESPONSE, OK, 'sign in'),
  TOO_MANY_REQUEST: handling(BOTH, '200, or 429 for the whole request', 'wait as long as `Retry-After` says'),
  QUERY_TOO_COMPLEX: handling(RESPONSE, '200 or 400', 'request less at a time'),
  RESPONSE_TOO_LARGE: handling(RESPONSE, OK, 'request less at a time'),
  IDEMPOTENCY_CONFLICT: handling(RESPONSE, OK, 'use a new key for a new request'),
  IDEMPOTENCY_IN_PROGRESS: handling(RESPONSE, OK, 'repeat it with the same key'),
  IDEMPOTENCY_SECRET_WITHHELD: handling(RESPONSE, OK, 'revoke what was created, and create it again with a new key'),
  GRAPHQL_PARSE_FAILED: document,
  GRAPHQL_VALIDATION_FAILED: document,
  BAD_USER_INPUT: document,
  OPERATION_RESOLUTION_FAILURE: document,
  BAD_REQUEST: handling(RESPONSE, '400 or 413', 'send `query` as JSON, within the limits of a body'),
  PERSISTED_QUERY_NOT_FOUND: handling(RESPONSE, OK, 'send the document'),
  OPERATION_NOT_SUPPORTED: handling(RESPONSE, '200 or 400', 'use the other transport'),
  SERVICE_UNAVAILABLE: handling(
    RESPONSE,
    '503, or 200 with `data`',
    'after 503, repeat it when `Retry-After` has passed; after 200, read what was done first',
  ),
  INTERNAL_SERVER_ERROR: handling(
    RESPONSE,
    '200, or 500 outside of GraphQL',
    'report the reference to the operator; repeat a mutation with the same idempotency key only',
  ),
};
