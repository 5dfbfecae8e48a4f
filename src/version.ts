import manifest from '../package.json' with { type: 'json' };

/** The version in the package manifest. The bundler includes only the fields that this module uses. */
export const SVC_VERSION: string = manifest.version;
/** The web address of svc’s releases. */
export const SVC_RELEASES: string = manifest.releases;
export const SVC_PACKAGE: string = manifest.name;
