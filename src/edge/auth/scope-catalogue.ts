/** A permission for keys and apps, with the texts that a person sees. */
export interface ScopeDefinition {
  readonly name: string;
  /** The text on the consent page: "Send money from your wallet". */
  readonly title: string;
  /** What follows from it: sentences that name all that it shows or does, the last one without a full stop. */
  readonly consequence: string;
  /** It lets another party move money: never pre-ticked, and consent to it is remembered for a limited time only. */
  readonly movesMoney?: boolean;
  /** For OAuth clients only, not for API keys. */
  readonly oauthOnly?: boolean;
  /** Granted along with others; has no checkbox. */
  readonly implicit?: boolean;
}

/** One permission under two names: the compatible service's and OpenID Connect's. */
const OFFLINE = { title: 'Keep access when you’re offline', consequence: 'Works in the background', oauthOnly: true };

const WRITE =
  'Can send money without asking you again. Creates and cancels invoices, and creates bitcoin addresses. Changes your settings: username, language, currency and default wallet';

export const CORE_SCOPES: readonly ScopeDefinition[] = [
  {
    name: 'read',
    title: 'See your balances and history',
    consequence:
      'Includes amounts, notes and names. Shows your username, e-mail address, settings and limits. Shows the names and limits of your API keys. Shows the addresses of your webhooks and their deliveries',
  },
  {
    name: 'receive',
    title: 'Receive money for you',
    consequence: 'Creates and cancels invoices paid to you, and creates your bitcoin addresses',
  },
  { name: 'offline', ...OFFLINE },
  { name: 'offline_access', ...OFFLINE },
  { name: 'write', title: 'Send money from your wallet', consequence: WRITE, movesMoney: true },
  { name: 'profile', title: 'See your username', consequence: 'Shares the name of your account', oauthOnly: true },
  { name: 'email', title: 'See your e-mail address', consequence: 'Shares the address you sign in with', oauthOnly: true },
  { name: 'openid', title: 'Confirm your identity', consequence: 'Shares a signed proof that it’s you', oauthOnly: true, implicit: true },
];

/**
 * The checkbox on the consent page of an app that the operator lets manage keys. Not a scope: no app requests it and no token carries it.
 */
export const MANAGE_KEYS: ScopeDefinition = {
  name: 'keys',
  title: 'Create and revoke API keys for you',
  consequence: 'Needs permission to send money. Keys it creates never have more permissions than the app. Can also manage your webhooks',
  movesMoney: true,
};

/** The checkbox of an API key that manages webhooks. Not a scope either. */
export const MANAGE_CALLBACKS: ScopeDefinition = {
  name: 'callbacks',
  title: 'Manage webhooks',
  consequence: 'Adds webhook endpoints, which receive every event of your account. Sees and deletes only those it added',
};

export class ScopeCatalogue {
  private readonly byName: ReadonlyMap<string, ScopeDefinition>;

  /** @throws Error when an extension defines an existing scope, or one with an invalid name */
  constructor(extensions: readonly { readonly name: string; readonly scopes?: readonly ScopeDefinition[] }[] = []) {
    const byName = new Map(CORE_SCOPES.map((scope) => [scope.name, scope]));
    for (const extension of extensions) {
      for (const scope of extension.scopes ?? []) {
        if (byName.has(scope.name) || [MANAGE_KEYS.name, MANAGE_CALLBACKS.name].includes(scope.name))
          throw new Error(`Extension ${extension.name} must not define the scope "${scope.name}": it already exists`);
        if (!/^[a-z][a-z0-9_:-]{1,39}$/.test(scope.name))
          throw new Error(`Extension ${extension.name} defines the scope "${scope.name}": use lower-case letters, digits, _ : -`);
        byName.set(scope.name, scope);
      }
    }
    this.byName = byName;
  }

  all(): readonly ScopeDefinition[] {
    return [...this.byName.values()];
  }

  find(name: string): ScopeDefinition | undefined {
    return this.byName.get(name);
  }

  ofKeys(): readonly ScopeDefinition[] {
    return this.all().filter((scope) => !scope.oauthOnly);
  }
}
