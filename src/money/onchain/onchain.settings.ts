import { Setting, yesNo } from '../../platform/config/index.js';

export class OnChainSettings {
  static readonly title = 'On-chain';

  @Setting('`0`: no on-chain addresses and payments, also where the node has an on-chain wallet')
  @yesNo()
  ONCHAIN = true;
}
