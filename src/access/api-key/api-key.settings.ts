import { Matches } from 'class-validator';
import { int, Setting } from '../../platform/config/index.js';

export class ApiKeySettings {
  static readonly title = 'API keys';

  @Setting('the longest life of a new API key; a key that never expires is refused then; `0`: no limit. Existing keys keep theirs')
  @int(0, 3_650)
  API_KEY_MAX_DAYS = 0;

  @Setting(
    'the only scopes that new API keys may have, with spaces between them, such as `read receive`; `callbacks` permits the box Webhooks (`manageCallbacks`). Empty: all. Existing keys keep theirs',
  )
  @Matches(/^([a-z][a-z0-9_:-]*( [a-z][a-z0-9_:-]*)*)?$/, { message: '$property must be names of scopes, with one space between them' })
  API_KEY_SCOPES = '';
}
