interface ErrorCodeEntry {
  readonly meaning: string;
  /** A response with this code is not kept under an idempotency key: a retry of the request may succeed. */
  readonly isPassing: boolean;
}

const kept = (meaning: string): ErrorCodeEntry => ({ meaning, isPassing: false });
const passing = (meaning: string): ErrorCodeEntry => ({ meaning, isPassing: true });

/** `npm run docs` writes the table of docs/reference/error-codes.md from it. */
export const ERROR_CODES = {
  INVALID_INPUT: kept('a value is invalid; `path` names it, `message` has the rule'),
  NOT_FOUND: kept(
    'the wallet, invoice, transaction, user, key, webhook endpoint or delivery does not exist, or belongs to another account',
  ),
  API_KEY_ENDED: kept('the API key was revoked or has expired, so its limits cannot be changed'),
  INVOICE_DECODE_ERROR: kept('the text is not a Lightning invoice, or the invoice is for another network'),
  INSUFFICIENT_BALANCE: kept('the balance does not cover the amount and the fee limit'),
  CANT_PAY_SELF: kept('payer and recipient are the same wallet'),
  ROUTE_FINDING_ERROR: kept('no route to the recipient; nothing was charged'),
  LIGHTNING_PAYMENT_ERROR: kept('the invoice is expired, cancelled or paid by another account, or the payment failed; nothing was charged'),
  INVOICE_BEING_PAID: passing('another account is paying this invoice now; nothing was sent'),
  INVOICE_TEXT_MISMATCH: kept(
    "the text differs from this server's invoice with the same payment hash; ask the recipient for the invoice again",
  ),
  LNURL_REQUEST_INVOICE_ERROR: passing(
    'the server of the Lightning address or LNURL did not return a valid invoice: it does not exist, is unreachable, or refused; nothing was sent, try again',
  ),
  PAYMENT_BUSY: passing('another transaction locks the wallet or the invoice; nothing was sent, try again'),
  PAYMENT_NOT_SENT: passing('the payment could not be started; nothing was sent, try again'),
  ACCOUNT_FROZEN: passing('the operator has stopped the payments of this account; nothing was sent, and payments still arrive'),
  SENDS_STOPPED: passing('the operator, or a failed audit, has stopped the payments of all accounts; nothing was sent, try again later'),
  TRANSACTION_RESTRICTED: kept(
    'the payment exceeds a spending limit of the API key or app that sends it, or what its account may send in 24 hours; nothing was sent',
  ),
  PRICE_UNAVAILABLE: passing('there is no price to be trusted now; try again later'),
  DEALER_LIMIT: passing(
    'customers of this server have as many dollars as its operator allows; nothing was sent, try again later or a smaller amount',
  ),
  LND_OFFLINE: passing('the Lightning node is unreachable, or refused to create the invoice; try again'),
  LIGHTNING_UNSUPPORTED: kept(
    'the Lightning node of this server cannot do this; nothing was sent or changed, and a repeated request gets the same answer',
  ),
  USERNAME_ERROR: kept('the username cannot be set: it is chosen at registration and never changes'),
  REGISTRATION_CLOSED: kept('this server lets no person register (`REGISTRATION=closed`); ask its operator for an account'),
  INVITATION_INVALID: kept(
    'registering needs an invitation, and this one is mistyped, used, revoked or expired; ask the operator for a new one',
  ),
  ENDPOINT_URL_REFUSED: kept('webhooks are not sent to this URL: it is without TLS, has credentials in it, or its address is not public'),
  NOT_AUTHENTICATED: kept('the field requires a credential, and the request has none'),
  INSUFFICIENT_SCOPE: kept('the credential lacks a scope; `extensions.scope` lists the scopes of which any one suffices'),
  NOT_AUTHORIZED: kept('requires a signed-in user, or an app that the operator trusts with keys; no scope is enough'),
  TOO_MANY_REQUEST: passing('a rate limit is exceeded, see [limits.md](limits.md)'),
  QUERY_TOO_COMPLEX: kept('the document exceeds a limit: length, depth, cost, aliases or repeated fields'),
  RESPONSE_TOO_LARGE: kept('the response of a query would exceed its limit, 4 MiB by default; request fewer fields or smaller pages'),
  IDEMPOTENCY_CONFLICT: kept('this idempotency key was already used for a different request'),
  IDEMPOTENCY_IN_PROGRESS: kept('the first request with this key is still in progress; try again'),
  IDEMPOTENCY_SECRET_WITHHELD: kept('the first response contained a secret, which Sluice does not store; nothing was created twice'),
  GRAPHQL_PARSE_FAILED: kept('the document or its variables are not valid GraphQL under this schema'),
  GRAPHQL_VALIDATION_FAILED: kept('the document or its variables are not valid GraphQL under this schema'),
  BAD_USER_INPUT: kept('the document or its variables are not valid GraphQL under this schema'),
  OPERATION_RESOLUTION_FAILURE: kept('the document or its variables are not valid GraphQL under this schema'),
  BAD_REQUEST: kept('the request has no document, or its body is unreadable, too long or nested too deeply; HTTP 400 or 413'),
  PERSISTED_QUERY_NOT_FOUND: kept('unknown document hash: send the whole document with the hash (APQ clients do so automatically)'),
  OPERATION_NOT_SUPPORTED: kept('a query or mutation over a WebSocket, a subscription over HTTP'),
  SERVICE_UNAVAILABLE: passing(
    "the server is starting or stopping, the database is unavailable, or too many of the caller's requests are waiting: HTTP 503 with `Retry-After`. After a field of a mutation has begun, it is HTTP 200 with `data` and the error of the failed field: do not repeat the whole request",
  ),
  INTERNAL_SERVER_ERROR: passing('server error; the log has it under `extensions.reference`'),
} as const satisfies Readonly<Record<string, ErrorCodeEntry>>;

export type ErrorCode = keyof typeof ERROR_CODES;
