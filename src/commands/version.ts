import { defineCommand, toggle } from '../cli/spec.ts';
import type { Needs } from '../session/context.ts';
import type { UsingServiceOnly } from '../session/offline.ts';
import { type Printing, printRecord, printText } from '../session/print.ts';
import { isLaterVersion } from '../values/versions.ts';

export const version = defineCommand({
  showsGlobals: ['output', 'jq'],
  description:
    'With --check, svc reads the newest version from the releases page of svc. svc also prints the upgrade command for the way in which you installed svc. The request has no token, and nothing about you. svc never requests the newest version without --check, and never upgrades itself.\n\nupgrade is null if svc is the newest version, or if the installation has no upgrade command: source, mise, Nix, container images, and the archive on Windows.',
  options: { check: toggle('--check', 'Show whether a newer version exists') },
  examples: [
    { args: 'version', does: 'Print the version, as svc --version does' },
    { args: 'version --check --jq .upgrade', does: 'Print the command that upgrades svc' },
  ],
  async run(context: Needs<Printing | UsingServiceOnly | 'files' | 'network' | 'requestTimeoutMs' | 'signal' | 'system'>, { options }) {
    const { version, releases } = context.system;
    if (!options.check) return printText(context, `svc ${version}\n`);
    const { requireService } = await import('../session/offline.ts');
    await requireService(context, 'The releases page shows the newest version');
    const { requestNewestVersion } = await import('../session/newest-version.ts');
    const { readInstallation } = await import('../session/upgrade-command.ts');
    const [newest, installation] = await Promise.all([
      requestNewestVersion(context, releases),
      readInstallation(context.files, context.system),
    ]);
    const isNewer = isLaterVersion(newest, version);
    await printRecord(context, {
      version,
      newest,
      is_newest: !isNewer,
      installed_by: installation.method,
      upgrade: (isNewer && installation.upgradeTo(newest)) || null,
    });
  },
});
