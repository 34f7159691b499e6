export type { Finding } from '../errors/errors.ts';
export type { TokenStore } from './auth/token-store.ts';
export type { UploadFields } from './calls/upload-file.ts';
export { createMediaService } from './client.ts';
export { openTokenStore, type TokenStoreSettings } from './open-media-service.ts';
export type {
  AuthorizationAnswer,
  AuthorizationRequest,
  CustomFormatParameters,
  DownloadRequest,
  FileMetadata,
  FilesRequest,
  ListRequest,
  Progress,
  RecordRequest,
  SignalRequest,
  UploadFile,
  UploadMetadata,
  UploadProgress,
  UploadRequest,
  Usage,
  Validators,
} from './requests.ts';
export { type Effect, ServiceError } from './service-error.ts';
export type { Credentials, MediaServiceOptions, TokenEncoding } from './service-options.ts';
export type * from './types.ts';
