import { choice, csrfField, day, field, html, type Html, type ShellFrame } from '../../edge/page/index.js';
import { USERNAME_DAYS, type RenameOutcome } from '../../access/user/index.js';
import type { Currency } from '../../money/wallet/index.js';
import { card } from '../layout.js';
import { paths } from '../paths.js';

/** What a person chooses about themselves. */
export interface Profile {
  readonly username: string;
  /** When the person may change the username again; null: they never did. */
  readonly usernameFreeAt: Date | null;
  readonly language: string;
  readonly defaultWallet: Currency;
}

/** A refused username, as it was typed. */
export interface UsernameFault {
  readonly typed: string;
  readonly text: string;
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });
/** The choices of the page; the API takes every language. */
export const LANGUAGE_TAGS: readonly string[] = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'sw', 'tr', 'uk', 'zh'];

const USERNAME_RULE = 'Use 3 to 50 letters, digits or _, with at least one letter. It can’t start with 1, 3, _, bc1 or lnbc1.';
export const USERNAME_FAULTS: Readonly<Record<RenameOutcome | 'malformed', string | null>> = {
  changed: null,
  same: null,
  malformed: USERNAME_RULE,
  taken: 'This name is taken. Choose another.',
  reserved: 'This name is reserved. Choose another.',
  too_soon: `You can change your username once in ${USERNAME_DAYS} days.`,
};

export function usernameCard(frame: ShellFrame, { username, usernameFreeAt }: Profile, fault: UsernameFault | undefined): Html {
  const sub = html`Your Lightning address is <b>${username}@<wbr />${frame.host}</b>. Payments to a former username arrive as long as your
    account exists, and no other person can have it.`;
  const wait =
    usernameFreeAt && usernameFreeAt > frame.now && html`<p>You can change your username again after ${day(usernameFreeAt)}.</p>`;
  const form = html`<form class="stack" method="post" action="${paths.username}">
    ${csrfField(frame.csrf)}${field({
      name: 'username',
      label: 'Username',
      hint: `You can change it once in ${USERNAME_DAYS} days.`,
      value: fault?.typed ?? username,
      error: fault?.text,
      autocomplete: 'off',
      verbatim: true,
      required: true,
    })}<button>Change username</button>
  </form>`;
  return card('Username', wait || form, { sub });
}

export function languageCard(frame: ShellFrame, { language }: Profile): Html {
  const tags = ['', ...new Set([...LANGUAGE_TAGS, ...(language === '' ? [] : [language])])];
  const options = tags.map((value) => ({ value, label: value === '' ? 'No choice' : (LANGUAGES.of(value) ?? value) }));
  const form = html`<form class="stack" method="post" action="${paths.language}">
    ${csrfField(frame.csrf)}${choice({ name: 'language', label: 'Language', options, value: language })}<button>Save language</button>
  </form>`;
  return card('Language', form, { sub: 'For apps that you connect. These pages are in English.' });
}

export function walletCard(frame: ShellFrame, { defaultWallet }: Profile): Html {
  const options = [
    { value: 'BTC', label: 'Bitcoin' },
    { value: 'USD', label: 'US dollars' },
  ];
  const form = html`<form class="stack" method="post" action="${paths.defaultWallet}">
    ${csrfField(frame.csrf)}${choice({ name: 'wallet', label: 'Wallet', options, value: defaultWallet })}<button>Save wallet</button>
  </form>`;
  return card('Default wallet', form, { sub: 'Where apps send what comes to your username without naming a wallet.' });
}
