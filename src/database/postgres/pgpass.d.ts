/** Declares the types of the package `pgpass`, because the package declares none. */
declare module 'pgpass' {
  interface Connection {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string | undefined;
  }
  /** Reads a password from the password file. Calls `found` with undefined if the file has no matching entry. */
  export default function pgpass(connection: Connection, found: (password: string | undefined) => void): void;
}
