const NEEDED = /^(PATH|HOME|TMPDIR|SYSTEMROOT|USERPROFILE|APPDATA|PG(PASSFILE|SSL|GSS|SERVICE|SYSCONFDIR).*)$/i;

/** What a program of PostgreSQL gets of this process's environment: where it finds files, passwords and certificates; nothing of Sluice's, which holds secrets. */
export const programEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))),
  LC_ALL: 'C',
});
