import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { PageSession } from '../edge/auth/index.js';
import { AnswerInterceptor, PageController } from '../edge/page/index.js';

export { Reply, type Answer, type Redirect, type Screen } from '../edge/page/index.js';

/** Pages below `/dashboard` for signed-in people: a handler returns its answer. */
export const DashboardPages = (path: string): ClassDecorator =>
  applyDecorators(PageController(`dashboard${path}`), PageSession(), UseInterceptors(AnswerInterceptor));
