import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { accessRuleOf } from './access.js';
import { ScopeCatalogue } from './scope-catalogue.js';

type Handler = (...args: never[]) => unknown;
const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);

/** Fails the start if a root field, subscription or REST handler declares no access rule. */
@Injectable()
export class AccessAudit implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly catalogue: ScopeCatalogue,
  ) {}

  onModuleInit(): void {
    const instances = [...this.discovery.getProviders(), ...this.discovery.getControllers()].map(({ instance }) => instance as unknown);
    const open = instances.flatMap((instance) => (instance && typeof instance === 'object' ? this.faultsOf(instance) : []));
    if (open.length > 0) throw new Error(`Handlers without a valid access rule:\n  ${open.join('\n  ')}`);
  }

  private faultsOf(instance: object): string[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, Handler> | null;
    if (!prototype) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method = prototype[name];
      return method ? faultsOf(instance.constructor, name, method, this.catalogue) : [];
    });
  }
}

function faultsOf(owner: Handler | object, name: string, method: Handler, catalogue: ScopeCatalogue): string[] {
  // As Nest reads it: in a class marked @Resolver('Query') every method is a root field, decorated or not.
  const type = (Reflect.getMetadata('graphql:resolver_type', method) ?? Reflect.getMetadata('graphql:resolver_type', owner)) as
    string | undefined;
  const isRoot = ROOTS.has(type ?? '');
  const rule = accessRuleOf(method);
  const where = `${(owner as { name: string }).name}.${name}`;
  if (!isRoot && !Reflect.hasMetadata('path', method))
    return rule ? [`${where}: an access rule has no effect on a nested field; the type that it leads to is guarded`] : [];
  const faults: string[] = [];
  if (rule?.kind === 'scopes')
    faults.push(...rule.anyOf.filter((scope) => !catalogue.find(scope)).map((scope) => `${where}: there is no scope "${scope}"`));
  if (!rule) faults.push(`${where}: none of @Scopes(), @Public(), @SessionOnly()`);
  // Without a parameter decorator Nest passes the raw arguments and runs no pipe.
  if (isRoot && method.length > 1 && !Reflect.hasMetadata('__routeArguments__', owner, name))
    faults.push(`${where}: arguments without @Args() are never validated`);
  return faults;
}
