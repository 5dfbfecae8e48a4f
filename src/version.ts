import manifest from '../package.json' with { type: 'json' };

/** The version in the package manifest. The bundler includes only this field. */
export const SVC_VERSION: string = manifest.version;
