import { serve } from './app/serve.js';

const [argument] = process.argv.slice(2);
if (argument === undefined) await serve();
else {
  process.stderr.write(
    `"${argument}": npm start takes no arguments. Set environment variables instead, for example PORT=4001 npm start; docs/reference/variables.md lists them.\n`,
  );
  process.exitCode = 2;
}
