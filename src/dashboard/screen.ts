import { PersonPages } from '../edge/page/index.js';

export { Reply, type Answer, type Redirect, type Screen } from '../edge/page/index.js';

/** Pages below `/dashboard` for signed-in people: a handler returns its answer. */
export const DashboardPages = (path: string): ClassDecorator => PersonPages(`dashboard${path}`);
