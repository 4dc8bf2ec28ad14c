import { setRoute } from '../../http/index.js';

/** Which fields of an interrupted form are kept, and the page that shows them again. */
export interface KeptForm {
  readonly fields: readonly string[];
  /** Default: the page at the address of the form, else the nearest one above it. */
  readonly page?: string | undefined;
}

/** Keeps these fields of a form that arrives after its session has ended, until its author has signed in again. */
export const KeptFields =
  (fields: readonly string[], page?: string): MethodDecorator =>
  (_target, _name, { value }: PropertyDescriptor): void =>
    setRoute(value as object, { keptForm: { fields, page } });

/** What a form did not do that arrives after its session has ended, for the page after the sign-in: "nothing was created". */
export const NotDone =
  (outcome: string): MethodDecorator =>
  (_target, _name, { value }: PropertyDescriptor): void =>
    setRoute(value as object, { notDone: outcome });

declare module 'fastify' {
  interface FastifyContextConfig {
    keptForm?: KeptForm;
    /** Default: "nothing was changed". */
    notDone?: string;
  }
}
