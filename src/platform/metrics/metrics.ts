import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus' convention: the product first, the base unit last (`_seconds`, `_bytes`, `_msat`), `_total` at the end of a counter. */
type MetricName = `sluice_${string}`;

/**
 * The metrics of this process. Each folder registers its own, once, in a constructor: a registry belongs to one application, so that
 * several applications in one process do not share counts. Labels are from a closed set, never an id or an address.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  /** A value that only grows. */
  counter<Label extends string = never>(name: `${MetricName}_total`, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** Durations, which `startTimer` measures. */
  durations<Label extends string>(name: `${MetricName}_seconds`, help: string, labelNames: readonly Label[]): Histogram<Label> {
    return new Histogram({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** A value that is read at each scrape. When `read` fails, only this metric is left out. */
  gauge(name: MetricName, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        try {
          this.set(await read());
        } catch {
          this.remove();
        }
      },
    });
  }

  /** A gauge with a value for each label value. */
  labelledGauge<Label extends string>(
    name: MetricName,
    help: string,
    labelName: Label,
    read: () => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [labelName],
      registers: [this.registry],
      async collect() {
        this.reset();
        try {
          for (const [value, number] of Object.entries(await read())) this.set({ [labelName]: value } as never, number);
        } catch {
          this.reset();
        }
      },
    });
  }

  /** All metrics in Prometheus' text format. @internal */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** @internal */
  get contentType(): string {
    return this.registry.contentType;
  }
}
