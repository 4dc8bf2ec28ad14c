import type { AppHead, CsrfBinding, EndedRequest } from '../../../edge/page/index.js';
import type { ScopeDefinition } from '../../../edge/auth/index.js';

/** The requesting app, as the sign-in and consent pages show it. */
export interface RequestingClient extends AppHead {
  readonly id: string;
  /** The person is asked whether it may create and revoke API keys: the operator trusts it, and it requests to move money. */
  readonly managesKeys: boolean;
}

/** A request that a person may answer. */
export interface OpenInteraction {
  readonly client: RequestingClient;
  /** Validated; the consent page's headers need it. */
  readonly redirectUri: string;
  /** As requested, with `openid` (`implicit`). */
  readonly scopes: readonly ScopeDefinition[];
  /** The e-mail address that the app expects; not checked. */
  readonly loginHint: string | null;
  /** This page session may not answer: no sign-in, not recently enough, or another person since. */
  readonly needsLogin: boolean;
  /** When a consent given now ends; null if it ends with the app's own session. */
  readonly lastsUntil: Date | null;
  /** After how many days the app has to ask about moving money again; null if it does not, or is public and always asks. */
  readonly asksAgainDays: number | null;
  /** What the forms' CSRF token is bound to: this request, as shown to this session. */
  readonly csrfBinding: CsrfBinding;
  readonly loginUrl: string;
  /** The same, for an answer that arrived after its session had ended. */
  readonly sessionEndedUrl: string;
  /** Signs in as another person. */
  readonly switchUrl: string;
  readonly consentUrl: string;
}

/** Why a request cannot be answered. */
export type InteractionRefusal =
  /**
   * Answered in the session that asks (`allowed`, `denied`), or left open for too long (`expired`): nothing was granted then. `ended`
   * covers an unknown request, and one that another session answered. The page links to the app's home page if the client is still known.
   */
  | ({ readonly kind: EndedRequest['ending'] } & Omit<EndedRequest, 'ending'>)
  /** It was started in another browser. */
  | { readonly kind: 'not_bound' }
  /** The app was suspended meanwhile, or its redirect URI is no longer registered. */
  | { readonly kind: 'client_refused' };

export type InteractionOutcome = { readonly kind: 'open'; readonly interaction: OpenInteraction } | InteractionRefusal;

/** What follows a sign-in: `next` continues, `needs_login` means that this sign-in does not suffice. */
export type SignedInOutcome = { readonly kind: 'next'; readonly url: string } | { readonly kind: 'needs_login' } | InteractionRefusal;

export type DecisionOutcome =
  /** Back to the app, allowed or not: respond with 303. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** A person has to sign in first (again). */
  | { readonly kind: 'needs_login'; readonly url: string }
  /** Neither `allow` nor `deny`, or boxes that cannot be allowed as they are: show the page again; nothing is stored. */
  | { readonly kind: 'undecided' }
  | InteractionRefusal;
