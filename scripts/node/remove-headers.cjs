// Removes the headers of Node for native addons, which are 2,800 files and 68 MB. The project compiles no addon. npm runs the script after
// an installation, on any version of Node.
const { rmSync } = require('node:fs');
const { join } = require('node:path');
const { optionalDependencies } = require('./package.json');

for (const name of Object.keys(optionalDependencies))
  rmSync(join(__dirname, '../../node_modules', name, 'include'), { recursive: true, force: true });
