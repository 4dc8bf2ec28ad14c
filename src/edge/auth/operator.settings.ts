import { Setting, yesNo } from '../../platform/config/index.js';

export class OperatorSettings {
  static readonly title = 'Operators';

  @Setting('`0`: in production, an operator without a second factor may use the console, for a test; a demo never asks for one')
  @yesNo()
  OPERATOR_SECOND_FACTOR = true;
}
