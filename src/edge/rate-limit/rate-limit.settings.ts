import { oneOf, rate, Setting } from '../../platform/config/index.js';

/** A rate is written as calls and seconds: 20/3600. */
export class RateLimitSettings {
  static readonly title = 'Rate limits';

  @Setting(
    '`memory`: each process counts for itself. `postgres`: all processes of the database share the counts of wrong passwords, codes and client secrets, and of requests for mail; set it where there are several. While the database does not count them, each process does',
  )
  @oneOf('memory', 'postgres')
  RATE_LIMIT_STORE: 'memory' | 'postgres' = 'memory';

  @Setting('new accounts from one address')
  @rate()
  THROTTLE_REGISTRATION = '20/3600';

  @Setting('authorization requests that need a page, from one address; and those granted without a page, from one sign-in')
  @rate()
  THROTTLE_AUTHORIZATION_PAGE = '120/60';

  @Setting('authorization requests that one app with a secret or key pushes; those of apps without, from one address')
  @rate()
  THROTTLE_PUSHED_REQUEST = '600/60';

  @Setting(
    'all calls from one address (an IPv4 address or an IPv6 /64; a /56 has four times as many, here and in each limit of an address); a costly document without a credential counts as several calls',
  )
  @rate()
  THROTTLE_ADDRESS = '6000/60';

  @Setting(
    'all calls with one key, grant or session, pages included; a costly document counts as several calls, one for each 2,000 of its cost',
  )
  @rate()
  THROTTLE_PRINCIPAL = '1200/60';

  @Setting('the same for all keys, grants and sessions of one account')
  @rate()
  THROTTLE_ACCOUNT = '6000/60';

  @Setting('invoices created without a credential, from one address')
  @rate()
  THROTTLE_ANONYMOUS_INVOICE = '30/60';

  @Setting("invoices created without a credential for one recipient; the recipient's own calls never count")
  @rate()
  THROTTLE_INVOICE_RECIPIENT = '600/60';

  @Setting(
    'invoices created with credentials of one account for one recipient (the mutations `ln…CreateOnBehalfOfRecipient`), with all keys together',
  )
  @rate()
  THROTTLE_INVOICE_FOR_OTHER = '600/60';

  @Setting(
    'payments to Lightning addresses and LNURLs (`lnAddressPaymentSend`, `lnurlPaymentSend`) of one account, with all keys together: each may send requests to an address that the caller chose',
  )
  @rate()
  THROTTLE_LNURL_PAYMENT = '60/60';

  @Setting('new bitcoin addresses (`onChainAddressCreate`) of one account, with all keys together')
  @rate()
  THROTTLE_ONCHAIN_ADDRESS = '20/3600';

  @Setting('wrong passwords for one account from one address')
  @rate()
  THROTTLE_SIGN_IN_ACCOUNT = '10/900';

  @Setting(
    'wrong passwords from one address; beyond it Sluice compares none from there until the window ends, except from a browser in which the owner of the account has signed in before',
  )
  @rate()
  THROTTLE_SIGN_IN_ADDRESS = '25/900';

  @Setting(
    'wrong codes of the second factor for one account from all addresses together, after its right password; a browser in which the owner has signed in before has a limit of its own',
  )
  @rate()
  THROTTLE_SIGN_IN_FACTOR = '10/3600';

  @Setting('requests for mail (a reset of the password, a change or check of an e-mail address) from one address')
  @rate()
  THROTTLE_MAIL = '20/3600';

  @Setting('refused requests at the token endpoint for one client')
  @rate()
  THROTTLE_TOKEN_CLIENT = '20/60';

  @Setting('refused requests at the token endpoint from one address')
  @rate()
  THROTTLE_TOKEN_ADDRESS = '5/60';

  @Setting("cost of the events of one account's subscriptions, with all keys together: each costs as much as its document, and 50 more")
  eventCost = '2400000/60';

  @Setting('the first invoices without a credential from one address (IPv6: /48), which pass even where the next two limits are reached')
  anonymousInvoiceFirst = '3/60';

  @Setting('invoices created without a credential, by all callers together')
  anonymousInvoiceAll = '3000/60';

  @Setting('such messages to one e-mail address; beyond it none is sent, and the answer is the same')
  mailRecipient = '5/3600';

  @Setting('documents of unregistered apps that are fetched for one address')
  clientDocument = '20/60';

  @Setting('such documents at one host, without those that were used before')
  clientDocumentHost = '60/60';

  @Setting('attempts of one account to create an API key, through the API and on the page; revoked keys stay for ninety days')
  apiKey = '100/3600';

  @Setting('what an account does to the apps that it develops: each act is a row in the log of operators')
  application = '60/3600';

  @Setting('wrong passwords and codes for an account from a browser in which its owner has signed in before; they count for no address')
  signInDevice = '10/900';
}

export type RateName = Exclude<keyof RateLimitSettings, 'RATE_LIMIT_STORE'>;
