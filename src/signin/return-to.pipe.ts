import { Injectable, type PipeTransform } from '@nestjs/common';
import { ReturnPages } from './return-pages.js';
import { challengeIn, type ReturnTo } from './return-to.js';

/** The destination in the query of a sign-in page: `@Query(ReturnToPipe) returnTo: ReturnTo`. */
@Injectable()
export class ReturnToPipe implements PipeTransform<Readonly<Record<string, unknown>>, ReturnTo> {
  constructor(private readonly pages: ReturnPages) {}

  transform(query: Readonly<Record<string, unknown>>): ReturnTo {
    const { to } = query;
    return { challenge: challengeIn(query), to: this.pages.includes(to) ? to : undefined };
  }
}
