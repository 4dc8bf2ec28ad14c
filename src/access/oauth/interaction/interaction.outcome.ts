import type { AppHead, CsrfBinding, EndedRequest } from '../../../edge/page/index.js';
import type { ScopeDefinition } from '../../../edge/auth/index.js';

export interface RequestingClient extends AppHead {
  readonly id: string;
  readonly managesKeys: boolean;
}

export interface OpenInteraction {
  readonly client: RequestingClient;
  readonly redirectUri: string;
  readonly scopes: readonly ScopeDefinition[];
  /** The e-mail address that the app expects; not checked. */
  readonly loginHint: string | null;
  /** This page session may not answer: no sign-in, not recently enough, or another person since. */
  readonly needsLogin: boolean;
  /** When a consent given now ends; null if it ends with the app's own session. */
  readonly lastsUntil: Date | null;
  /** After how many days the app has to ask about moving money again; null if it does not, or is public and always asks. */
  readonly asksAgainDays: number | null;
  readonly csrfBinding: CsrfBinding;
  readonly loginUrl: string;
  /** The same, for an answer that arrived after its session had ended. */
  readonly sessionEndedUrl: string;
  readonly switchUrl: string;
  readonly consentUrl: string;
}

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

/** `needs_login` means that this sign-in does not suffice. */
export type SignedInOutcome = { readonly kind: 'next'; readonly url: string } | { readonly kind: 'needs_login' } | InteractionRefusal;

export type DecisionOutcome =
  | { readonly kind: 'redirect'; readonly url: string }
  | { readonly kind: 'needs_login'; readonly url: string }
  /** Neither `allow` nor `deny`, or boxes that cannot be allowed as they are: show the page again; nothing is stored. */
  | { readonly kind: 'undecided' }
  | InteractionRefusal;
