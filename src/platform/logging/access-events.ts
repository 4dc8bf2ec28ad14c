import { error, fault, info, outage, warn } from './entry.js';

export const ACCESS_EVENTS = {
  auth_lookup_unavailable: warn(
    'Credentials could not be looked up, because the database is unavailable. Callers receive 503; logged at most once a minute',
    'Check the database',
  ),
  auth_lookup_failed: error('A credential could not be looked up by a fault of Sluice. The caller received 503', 'Report it with the line'),
  auth_usage_not_stored: warn(
    'The time, the calls and the errors of credentials in use could not be stored. The pages of keys and apps lack them',
  ),
  auth_revocations_not_checked: warn(
    'Events are late, and revocations could not be looked up instead. Sockets of revoked credentials stay open meanwhile',
    'Check the database',
  ),
  auth_proxy_not_trusted: warn(
    'A request has `X-Forwarded-For`, and `TRUST_PROXY` is 0. Behind a proxy all callers count as one address; logged once',
    'Set `TRUST_PROXY` to the number of proxies in front',
  ),
  identity_logout_rejected: warn(
    'A back-channel logout was rejected: its token is not valid, or was received before. No session ended',
    'Compare `IDENTITY_ISSUER` and `IDENTITY_CLIENT_ID` with the provider if it happens at each logout',
  ),
  identity_logout_unavailable: warn(
    'A back-channel logout could not be checked, because the keys of the provider could not be read. The provider received 503',
    'Check the connection to `IDENTITY_ISSUER`',
  ),
  identity_removed: info(
    'A person (`userId`) was removed by the organisation: sessions ended, and `IDENTITY_REMOVED` decided about the rest',
  ),
  auth_invitation_rejected: warn(
    'A registration was refused, because its invitation is unknown, used, revoked or expired. Attempts count in `THROTTLE_REGISTRATION`',
    'If a person asks, create a new one: `sluice invitation create`',
  ),
  identity_refused: warn(
    'A sign-in through the company did not come about; `reason` says why, `detail` what the provider or the check said. One line a minute for each reason',
    '`unavailable`: look whether this server reaches the provider at its address. `denied`: compare `detail` with the settings of the client there. `unusable`: let the provider send the e-mail address. `email_taken`: see “Company sign-in” in docs/operating-people.md. `disabled`: `sluice user enable`',
  ),
  oauth_request_refused: warn(
    'An authorization request, or one to sign out, was refused. The person saw an error page with the `reference`; `document` is the address of that of an unregistered app',
    'Send the reason to the developer of the app',
  ),
  oauth_request_failed: fault(
    'An authorization request, or one to sign out, failed by a fault of Sluice. The person saw an error page with the `reference`',
  ),
  oauth_client_rejected: warn(
    'Client authentication failed: unknown client, wrong secret, or not approved. One line a minute for each method, with the number of requests',
  ),
  oauth_code_rejected: warn(
    'An authorization code was rejected. If it had been used before, everything issued for it has ended. One line a minute for each app and reason, with the number of requests',
  ),
  oauth_refresh_token_rejected: warn(
    'A refresh token was rejected. `reused` counts as theft and ends the whole grant. One line a minute for each app and reason, with the number of requests',
  ),
  oauth_revocation_rejected: warn(
    "A client tried to revoke another client's token. The token stays valid. One line a minute for each app, with the number of requests",
  ),
  oauth_backchannel_rejected: warn(
    'An app has answered a back-channel logout with 400, so it is not repeated. Other failures are jobs that are tried again (`job_failed`)',
    'Send the id of the app and the time to its developer',
  ),
  oauth_leak_reported: warn(
    '`ended` tokens, keys or secrets were reported as leaked, and have ended. Their owners have a notice, and secrets of apps are in the log of operators',
  ),
  oauth_unexpected_error: fault('An OAuth endpoint failed by a fault of Sluice. The client received `server_error`'),
  oauth_signing_key_unusable: warn(
    'A signing key could not be decrypted. Sluice signs with another one, or creates one',
    'Set `SECRET_KEY_PREVIOUS` if `SECRET_KEY` has changed',
  ),
  auth_factor_unreadable: error(
    'The secret of the authenticator app of a user (`userId`) was encrypted under a `SECRET_KEY` that is not configured. The user can sign in with a recovery code or a passkey only',
    'Set `SECRET_KEY_PREVIOUS` to the key that was replaced',
  ),
  idempotency_response_not_stored: outage(
    'The response to a request with an idempotency key could not be stored. A retry runs the request again as the same attempt, which moves nothing twice',
  ),
  idempotency_response_discarded: warn(
    'The lease of an idempotency key expired and a retry claimed the key before the response was stored. The response of the retry counts',
  ),
  idempotency_lease_not_renewed: outage(
    'The leases of running requests with idempotency keys could not be renewed. A retry may claim their keys',
  ),
  page_failed: fault('A page failed by a fault of Sluice. The person saw an error page with the `reference`'),
  page_unavailable: warn('A page could not be shown, because the database is unavailable', 'Check the database'),
  page_client_rejected: warn(
    'An app sent a person to a page with an invalid request. The person saw an error page with the `reference`',
    'Send the reason to the developer of the app',
  ),
  page_refused: info('A page refused a request, such as an expired form. The person saw an error page with the `reference`'),
  page_editor_missing: error(
    'Files of GraphiQL could not be read. The page at `/graphql` has no editor',
    'Install the packages again, or set `GRAPHIQL=0`',
  ),
} as const;
