const NEEDED = /^(PATH|HOME|TMPDIR|SYSTEMROOT|USERPROFILE|APPDATA|PG(PASSFILE|SSL|GSS|SERVICE|SYSCONFDIR).*)$/i;

/** A program of PostgreSQL gets the variables by which it finds files, passwords and certificates, and none of Sluice's, which hold secrets. */
export const programEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))),
  LC_ALL: 'C',
});
