import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { PageClass } from '../auth/index.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageFilter } from './page.filter.js';

/** A controller of pages: its errors are pages too, and every form that it takes is guarded against CSRF. */
export const PageController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), PageClass(true), UseFilters(PageFilter), UseGuards(CsrfGuard));
