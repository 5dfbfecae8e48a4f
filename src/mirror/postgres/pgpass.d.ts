/** The package has no types of its own. */
declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string | undefined;
  }
  /** Looks a password up in the file of passwords; undefined where it is not there. */
  export default function pgpass(connection: Connection, found: (password: string | undefined) => void): void;
}
