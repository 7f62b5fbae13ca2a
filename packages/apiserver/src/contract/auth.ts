/** The user that makes a request, after authentication and impersonation. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The input of authentication. Header names are lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The client certificate in DER, if the TLS layer received one; not verified yet. */
  readonly clientCertificate?: Uint8Array;
  /** Certificates of intermediate CAs that the client sent, in DER. */
  readonly clientIntermediates?: readonly Uint8Array[];
}

export interface Authenticator {
  /** Returns the user, or undefined when the request carries no credentials. Invalid credentials throw `unauthorized()`. */
  authenticate(credentials: Credentials): Promise<UserInfo | undefined>;
}

/** Receives the steps of authentication, for the request log and the audit log. */
export interface AuthenticationObserver {
  /** Called with the user of the credentials, before impersonation. */
  authenticated(user: UserInfo): void;
  /** Called with the impersonated user. `constraint` is the verb of constrained impersonation, otherwise empty. */
  impersonated(user: UserInfo, constraint: string): void;
}

export interface ResourceAttributes {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty at the cluster scope. */
  readonly namespace: string;
  /** Empty if the request does not name an object, as in list and watch. */
  readonly name: string;
  /** Fields for which the field selector of a list, watch or deletecollection requires one value, with this value. */
  readonly requiredFields?: Readonly<Record<string, string>>;
}

/** The input of authorization. Exactly one of `resource` and `path` is set. */
export interface AccessRequest {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resource?: ResourceAttributes;
  readonly path?: string;
}

export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

export interface Authorizer {
  /** Decides synchronously, because roles and bindings are in memory. */
  authorize(request: AccessRequest): Decision;
}
