import type { CsrfBinding } from '../../page/index.js';
import type { ScopeDefinition } from '../../auth/index.js';

/** The app that asks, as gate pages show it. */
export interface AskingClient {
  readonly id: string;
  readonly name: string;
  /** The operator has checked who runs it. */
  readonly verified: boolean;
  /** Host of the address that the answer goes to, or the scheme of a native app. */
  readonly host: string;
  /** Its registered front page. */
  readonly homepage: string | null;
  /** It cannot keep a secret: anybody could pretend to be it. */
  readonly isPublic: boolean;
  /** The person is asked whether it may make and revoke API keys: the operator lets it, and it asks to move money. */
  readonly managesKeys: boolean;
}

/** A request that somebody may answer. */
export interface OpenInteraction {
  readonly client: AskingClient;
  /** Validated; the consent page's headers need it. */
  readonly redirectUri: string;
  /** As asked, `openid` (`implicit`) among them. */
  readonly scopes: readonly ScopeDefinition[];
  /** What the app thinks the e-mail address is; unchecked. */
  readonly loginHint: string | null;
  /** The page session at hand may not answer: nobody is signed in, or not recently enough, or somebody else since. */
  readonly needsLogin: boolean;
  /** When a consent given now ends by itself; null where nothing outlasts the app's own session. */
  readonly lastsUntil: Date | null;
  /** After how many days the app has to ask about moving money again; null where it does not ask for that. */
  readonly asksAgainDays: number | null;
  /** What the forms' CSRF token belongs to: this request, as shown to this session. */
  readonly csrfBinding: CsrfBinding;
  readonly loginUrl: string;
  readonly consentUrl: string;
}

/** Why a request cannot be answered. */
export type InteractionRefusal =
  /**
   * Answered in the session that asks (`allowed`, `denied`), or left open for too long (`expired`): nothing was granted then. `ended` is all that is told
   * of one that is unknown, or that another session answered. The way on is the app's homepage, where the client is still known.
   */
  | {
      readonly kind: 'allowed' | 'denied' | 'expired' | 'ended';
      readonly client: { readonly name: string; readonly homepage: string | null } | null;
    }
  /** It was begun in another browser. */
  | { readonly kind: 'not_bound' }
  /** The app was suspended meanwhile, or may not be answered at that address any more. */
  | { readonly kind: 'client_refused' };

export type InteractionOutcome = { readonly kind: 'open'; readonly interaction: OpenInteraction } | InteractionRefusal;

/** What follows a sign-in: `next` leads on, `needs_login` means that this sign-in does not do. */
export type SignedInOutcome =
  { readonly kind: 'next'; readonly url: string } | { readonly kind: 'needs_login'; readonly url: string } | InteractionRefusal;

export type DecisionOutcome =
  /** Back to the app, allowed or not: answer 303. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** Somebody has to sign in first (again). */
  | { readonly kind: 'needs_login'; readonly url: string }
  /** Neither `allow` nor `deny`: show the page again; nothing was decided. */
  | { readonly kind: 'undecided' }
  | InteractionRefusal;
