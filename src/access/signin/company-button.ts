import { buttonLink, html, type Html } from '../../edge/page/index.js';

/** The way to the company's sign-in. */
export interface CompanyLink {
  readonly name: string;
  readonly href: string;
}

export const companyButton = ({ name, href }: CompanyLink): Html => html`<p>${buttonLink(href, `Continue with ${name}`)}</p>`;
