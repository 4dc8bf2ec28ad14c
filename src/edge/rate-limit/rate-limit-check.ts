import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RateLimitPolicies } from './rate-limit-policies.js';
import { policiesOf } from './rate-limit.guard.js';

/** Fails the start if a handler names a policy that does not exist: it would be called without any limit. */
@Injectable()
export class RateLimitCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly policies: RateLimitPolicies,
  ) {}

  onModuleInit(): void {
    const instances = [...this.discovery.getProviders(), ...this.discovery.getControllers()].map(({ instance }) => instance as unknown);
    const faults = instances.flatMap((instance) => (instance && typeof instance === 'object' ? this.faultsOf(instance) : []));
    if (faults.length > 0) throw new Error(`Handlers with an unknown rate limit policy:\n  ${faults.join('\n  ')}`);
  }

  private faultsOf(instance: object): string[] {
    const prototype = Object.getPrototypeOf(instance) as Record<string, object> | null;
    if (!prototype) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const unknown = policiesOf(prototype[name] ?? {}).filter((policy) => !this.policies.has(policy));
      return unknown.map((policy) => `${instance.constructor.name}.${name}: there is no policy "${policy}"`);
    });
  }
}
