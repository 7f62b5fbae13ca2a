export type { BodySink, BodyStream, HttpRequest, HttpResponse, RequestHeaders, ResponseHeaders } from './message.js';
export { headerText } from './message.js';
