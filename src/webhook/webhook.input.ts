import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import type {
  CallbackDeliveryReplayInput,
  CallbackEndpointAddInput,
  CallbackEndpointDeleteInput,
  MutationCallbackDeliveryReplayArgs,
  MutationCallbackEndpointAddArgs,
  MutationCallbackEndpointDeleteArgs,
} from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';

/** The scalars validate every value. */
export class EndpointAddInput implements Complete<CallbackEndpointAddInput> {
  url!: string;
}

export class EndpointAddArgs implements Complete<MutationCallbackEndpointAddArgs> {
  @ValidateNested() @Type(() => EndpointAddInput) input!: EndpointAddInput;
}

export class EndpointDeleteInput implements Complete<CallbackEndpointDeleteInput> {
  id!: string;
}

export class EndpointDeleteArgs implements Complete<MutationCallbackEndpointDeleteArgs> {
  @ValidateNested() @Type(() => EndpointDeleteInput) input!: EndpointDeleteInput;
}

export class DeliveryReplayInput implements Complete<CallbackDeliveryReplayInput> {
  id!: string;
}

export class DeliveryReplayArgs implements Complete<MutationCallbackDeliveryReplayArgs> {
  @ValidateNested() @Type(() => DeliveryReplayInput) input!: DeliveryReplayInput;
}
