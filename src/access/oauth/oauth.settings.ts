import { int, matching, oneOf, Setting, yesNo } from '../../platform/config/index.js';

const DAY = 86_400;
const HOST = '[a-z0-9-]+(\\.[a-z0-9-]+)*(:\\d{1,5})?';
const HOSTS_OR_DOCUMENTS = new RegExp(`^(${HOST}|https://${HOST}/[!-)+.-~-]*)(,(${HOST}|https://${HOST}/[!-)+.-~-]*))*$|^$`);

export class OAuthSettings {
  static readonly title = 'OAuth';

  @Setting('life of an OAuth access token')
  @int(1, DAY)
  ACCESS_TOKEN_SECONDS = 3_600;

  @Setting('life of an authorization code')
  @int(1, 600)
  AUTHORIZATION_CODE_SECONDS = 60;

  @Setting('life of an authorization request that an app has pushed, until the browser brings its `request_uri`')
  @int(5, 600)
  PUSHED_REQUEST_SECONDS = 90;

  @Setting('how long a person may take to sign in and decide')
  @int(60, DAY)
  INTERACTION_SECONDS = 1_800;

  @Setting('a refresh token ends after this time without use')
  @int(1, 3_650 * DAY)
  REFRESH_TOKEN_IDLE_SECONDS = 30 * DAY;

  @Setting('a grant ends after this time in any case')
  @int(1, 3_650 * DAY)
  REFRESH_TOKEN_ABSOLUTE_SECONDS = 365 * DAY;

  @Setting('after this time the consent page asks the person again whether an app may send money')
  @int(0, 3_650 * DAY)
  CONSENT_WRITE_MEMORY_SECONDS = 30 * DAY;

  @Setting(
    '`1`: a developer gets test credentials for an app that is not approved; they work for the developer’s own account only. `0`: none, and a start ends those that exist; `1` in demo mode, `0` in production',
    { production: false },
  )
  @yesNo()
  APP_TEST_MODE = true;

  @Setting(
    'apps that were not registered, whose `client_id` is the address of a document ([unregistered-apps.md](../unregistered-apps.md)): `off`; `listed`, those of CLIENT_METADATA_ALLOWED; `review`, those, and others once the operator has approved them',
  )
  @oneOf('off', 'listed', 'review')
  CLIENT_METADATA: 'off' | 'listed' | 'review' = 'listed';

  @Setting(
    'hosts (`agent.example`) and addresses of documents (`https://agent.example/app.json`), with commas between them, without wildcards',
  )
  @matching(HOSTS_OR_DOCUMENTS, 'must be hosts or https addresses of documents, with commas between them')
  CLIENT_METADATA_ALLOWED = '';

  get allowedDocuments(): readonly string[] {
    return this.CLIENT_METADATA_ALLOWED === '' ? [] : this.CLIENT_METADATA_ALLOWED.split(',');
  }

  /** A refresh that is repeated within this time gets the same answer; a later one counts as theft. */
  refreshReplaySeconds = 60;
}
