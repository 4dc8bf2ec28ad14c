import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus' convention: the product first, the base unit last (`_seconds`, `_bytes`, `_msat`), `_total` behind what only grows. */
type MetricName = `sluice_${string}`;

/**
 * The numbers that this process shows its operator. Each folder registers its own, once, in a constructor: a registry belongs to one
 * application, so that several applications in one process do not share counts. Labels are from a closed set, never an id or an address.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  /** What only grows. */
  counter<Label extends string = never>(name: `${MetricName}_total`, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** What is read when the metrics are asked for. A `read` that fails leaves this number out, and the others stay. */
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

  /** The same with a value for each label value. */
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

  histogram(name: `${MetricName}_seconds`, help: string, buckets: readonly number[]): Histogram {
    return new Histogram({ name, help, buckets: [...buckets], registers: [this.registry] });
  }

  /** One number without labels, as it is now; 0 where there is none. */
  async read(name: MetricName): Promise<number> {
    return (await this.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  }

  /** What they are called. */
  get names(): readonly string[] {
    return this.registry.getMetricsAsArray().map(({ name }) => name);
  }

  /** All of them as Prometheus' text. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }
}
