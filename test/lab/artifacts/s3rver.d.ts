declare module '@20minutes/s3rver' {
  /** A local server of the protocol of S3; it checks signatures, with the key and the secret `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      readonly port: number;
      readonly address: string;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly {readonly name: string}[];
    });
    run(): Promise<{readonly port: number}>;
    close(): Promise<void>;
  }
}
