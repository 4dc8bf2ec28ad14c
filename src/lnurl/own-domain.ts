import type { Config } from '../config/index.js';

/**
 * Whether Lightning addresses of this domain are Sluice's own. With `PORT=0` the addresses have their port only after the start: ask each time.
 * @param host in lower case, with its port unless it is that of https
 */
export const isOwnDomain = ({ publicUrl, apiUrl }: Pick<Config, 'publicUrl' | 'apiUrl'>, host: string): boolean =>
  [publicUrl, apiUrl].some((url) => new URL(url).host === host);
