import { IsOptional, Length, Matches } from 'class-validator';
import { int, networks, oneOf, Setting, url, yesNo, type Environment } from '../../platform/config/index.js';
import { isLoopback } from '../../platform/kernel/loopback.js';

export class IdentitySettings {
  static readonly title = 'Company sign-in';

  @Setting(
    'the OpenID Connect issuer that signs people in, such as `https://sso.example.com/realms/staff`; its callback URL is `PUBLIC_URL` with `/login/company/callback`. Without it (and without `TRUSTED_IDENTITY_HEADER`) people sign in here alone',
  )
  @IsOptional()
  @url('https', 'http')
  IDENTITY_ISSUER?: string;

  @Setting('the client id of this server at `IDENTITY_ISSUER`; required with it')
  @IsOptional()
  @Length(1, 500)
  IDENTITY_CLIENT_ID?: string;

  @Setting('the client secret; without it this server is a public client with PKCE')
  @IsOptional()
  @Length(1, 2_000)
  IDENTITY_CLIENT_SECRET?: string;

  @Setting('the provider’s name on the button: “Continue with …”')
  @Length(1, 60)
  IDENTITY_NAME = 'your company account';

  @Setting(
    '`1`: a person whose address the provider has verified gets the existing account with this address, if the account has verified it too and has no identity yet. `0`: an address that has an account is refused',
  )
  @yesNo()
  IDENTITY_LINK_BY_EMAIL = false;

  @Setting(
    'the header in which a proxy that signs people in, such as oauth2-proxy, sends the e-mail address of the person. Of `TRUSTED_IDENTITY_PROXIES` alone, which must remove it from what browsers send',
  )
  @IsOptional()
  @Matches(/^[A-Za-z0-9-]{1,100}$/, { message: '$property must be the name of a header' })
  TRUSTED_IDENTITY_HEADER?: string;

  @Setting(
    'addresses and networks of those proxies, as this server sees them: `10.0.0.7,fd00::/64`; required with `TRUSTED_IDENTITY_HEADER`',
  )
  @networks()
  TRUSTED_IDENTITY_PROXIES = '';

  @Setting(
    'when the provider has removed a person, their sessions end; `pause`: API keys, apps and webhooks wait too, until the person signs in by the provider again; `end`: keys, apps and webhooks end for good; `sessions`: nothing else',
  )
  @oneOf('pause', 'sessions', 'end')
  IDENTITY_REMOVED: 'pause' | 'sessions' | 'end' = 'pause';

  @Setting(
    'a person who has not signed in by the provider for this many days counts as removed; `0`: none does. For providers without back-channel logout',
  )
  @int(0, 3_650)
  IDENTITY_ABSENT_DAYS = 0;

  get isConfigured(): boolean {
    return this.IDENTITY_ISSUER !== undefined || this.TRUSTED_IDENTITY_HEADER !== undefined;
  }

  problems(_environment: Environment): readonly string[] {
    const {
      IDENTITY_ISSUER: issuer,
      IDENTITY_CLIENT_ID: client,
      IDENTITY_CLIENT_SECRET: secret,
      TRUSTED_IDENTITY_HEADER: header,
      TRUSTED_IDENTITY_PROXIES: proxies,
    } = this;
    const isPlain = issuer?.startsWith('http:') && !isLoopback(new URL(issuer).hostname);
    return [
      ...(issuer !== undefined && header !== undefined ? ['IDENTITY_ISSUER and TRUSTED_IDENTITY_HEADER must not both be set'] : []),
      ...(issuer !== undefined && client === undefined ? ['IDENTITY_CLIENT_ID must be set with IDENTITY_ISSUER'] : []),
      ...(issuer === undefined && (client ?? secret) !== undefined
        ? ['IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET require IDENTITY_ISSUER']
        : []),
      ...(isPlain ? ['IDENTITY_ISSUER must be https, except on this machine'] : []),
      ...(header !== undefined && proxies === '' ? ['TRUSTED_IDENTITY_PROXIES must be set with TRUSTED_IDENTITY_HEADER'] : []),
    ];
  }
}
