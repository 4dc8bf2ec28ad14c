import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { ROOT_TYPES } from '../graphql/index.js';
import { handlersOfAll, type OwnedHandler } from '../http/index.js';
import { accessRuleOf, ownAccessRuleOf } from './access.js';
import { ScopeCatalogue } from './scope-catalogue.js';

const RULES = '@Scopes(), @Public(), @SessionOnly(), @AnyCredential(), @PageSession(), @Operator()';

/** Marks a class of pages: its errors are pages, and its forms are checked. `@PageController()` sets it. */
export const PageClass = Reflector.createDecorator<true>();

/** Fails the start if a root field, subscription, REST handler or page has no access rule, or one that does not apply to it. */
@Injectable()
export class AccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalogue: ScopeCatalogue,
  ) {}

  onModuleInit(): void {
    const handlers = handlersOfAll(this.discovery);
    const faults = handlers.flatMap((each) => faultsOf(each, this.catalogue));
    for (const owner of new Set(handlers.map((each) => each.owner)))
      if (ownAccessRuleOf(owner)?.kind === 'public') faults.push(`${owner.name}: @Public() is for methods only`);
    if (faults.length > 0) throw new Error(`Handlers without a valid access rule:\n  ${faults.join('\n  ')}`);
  }
}

function faultsOf({ owner, name, handler: method }: OwnedHandler, catalogue: ScopeCatalogue): string[] {
  const type = (Reflect.getMetadata('graphql:resolver_type', method) ?? Reflect.getMetadata('graphql:resolver_type', owner)) as
    string | undefined;
  const isRoot = ROOT_TYPES.has(type ?? '');
  const where = `${owner.name}.${name}`;
  if (!isRoot && !Reflect.hasMetadata('path', method))
    return ownAccessRuleOf(method)
      ? [`${where}: an access rule has no effect on a nested field; the type that it leads to is guarded`]
      : [];
  const rule = accessRuleOf(method, owner);
  const faults: string[] = [];
  if (rule?.kind === 'scopes')
    faults.push(...rule.anyOf.filter((scope) => !catalogue.find(scope)).map((scope) => `${where}: there is no scope "${scope}"`));
  if (!rule) faults.push(`${where}: none of ${RULES}`);
  // Only there is a form checked, and a browser without a session sent to the sign-in page.
  if (rule?.kind === 'page' && (isRoot || !Reflect.hasMetadata(PageClass.KEY, owner)))
    faults.push(`${where}: @PageSession() and @Operator() are for the handlers of a class with @PageController()`);
  if (Reflect.hasMetadata(PageClass.KEY, owner) && (rule?.kind === 'scopes' || rule?.kind === 'session'))
    faults.push(
      `${where}: a page takes @PageSession(), @Operator() or @Public(): a browser sends no credential that @Scopes() and the others read`,
    );
  // Without a parameter decorator Nest passes the raw arguments and runs no pipe.
  if (isRoot && method.length > 1 && !Reflect.hasMetadata('__routeArguments__', owner, name))
    faults.push(`${where}: arguments without @Args() are never validated`);
  return faults;
}
