"""What lauren has besides its container: names and modules of its web framework, and of its insides."""

from __future__ import annotations

NAMES = frozenset(
    """
    AppState BackgroundTaskComplete BackgroundTaskFailed BackgroundTaskStarted BackgroundTasks BroadcastGroup
    ByteStream Bytes CallHandler CallNext ClientInfo ContentConfig Cookie CookieField Depends Discriminated
    DrainTimeoutError EventStream ExceptionHandlerConfigError ExecutionContext ExtractionMarker ExtractorError
    ExtractorFieldError FieldDescriptor ForbiddenError Form GuardConfigError GuardProtocol HTTPError Header
    HeaderField Headers InMemoryRevocationStore InMemorySessionStore InterceptorConfigError
    InterceptorProtocol JSONEncoder Json Lauren LifecycleConfigError LifecycleEvent MethodNotAllowedError
    MiddlewareConfigError MiddlewareProtocol MissingStateError MsgspecEncoder MutableHeaders
    OpenAPISchemaError OpenAPISecurityMeta OrjsonEncoder PIPE_META Path PathField Pipe PipeContext PipeMeta
    PydanticEncoder Query QueryField ReflectedController ReflectedMeta ReflectedModule ReflectedRoute
    ReflectedWsGateway ReflectedWsMessage Request RequestAllocation RequestArena RequestBodyTooLarge
    RequestComplete RequestReceived Response RevocationStore RouteEntry RouteNotFoundError Router
    RouterConflictError ServerInfo ServerSentEvent Session SessionConfig SessionConfigError SessionSerializer
    SessionStore ShutdownBegin SignalBus SignedCookieSessionStore SocketIOConnection StartupBegin
    StartupComplete State StateExtractor StateTypeError StaticFilesModule StdlibJSONEncoder Stream
    StreamReader StreamingResponse TaskHandle UnauthorizedError UnsupportedMediaTypeError UploadFile WebSocket
    WebSocketDisconnect WebSocketError WebSocketRouteNotFoundError WebSocketValidationError
    WsConnectionContext WsMessageContext WsUpgradeRequest _app _arena _asgi _asgi._docs _asgi._openapi _di
    _di.custom _discriminated _encoders _encoders.pydantic _lifecycle _modules _multipart _routing _sessions
    _sessions._config _sessions._engine _sessions._revocation _sessions._serializer _sessions._session
    _sessions._signing _sessions._store _socketio _staticfiles _typing _typing.forwardref _validation
    _ws_runtime auto_encoder background controller decorators.CONTROLLER_META decorators.ControllerMeta
    decorators.EXCEPTION_HANDLER_META decorators.ExceptionHandlerMeta decorators.MIDDLEWARE_META
    decorators.MODULE_META decorators.ModuleMeta decorators.OPENAPI_SECURITY_META
    decorators.OpenAPISecurityMeta decorators.ROUTE_META decorators.RouteMeta decorators.SET_METADATA
    decorators.USE_ENCODER decorators.USE_EXCEPTION_HANDLERS decorators.USE_GUARDS decorators.USE_MIDDLEWARES
    decorators.controller decorators.delete decorators.exception_handler decorators.get decorators.head
    decorators.middleware decorators.openapi_security decorators.options decorators.patch decorators.post
    decorators.propagate_metadata decorators.put decorators.set_metadata decorators.use_encoder
    decorators.use_exception_handlers decorators.use_guards decorators.use_middlewares delete docs
    exception_handler exceptions.DrainTimeoutError exceptions.ExceptionHandlerConfigError
    exceptions.ExtractorError exceptions.ExtractorFieldError exceptions.ForbiddenError
    exceptions.GuardConfigError exceptions.HTTPError exceptions.InterceptorConfigError
    exceptions.LifecycleConfigError exceptions.MethodNotAllowedError exceptions.MiddlewareConfigError
    exceptions.MissingStateError exceptions.OpenAPISchemaError exceptions.RequestBodyTooLarge
    exceptions.RouteNotFoundError exceptions.RouterConflictError exceptions.SessionConfigError
    exceptions.StateTypeError exceptions.UnauthorizedError exceptions.UnsupportedMediaTypeError extractors
    format_sse_event get get_all_routes get_all_ws_gateways get_controller_metadata get_module_metadata
    get_route_metadata head interceptor is_pipe last_event_id logging middleware on_connect on_disconnect
    on_error on_message on_socketio_event openapi_security options patch pipe post propagate_metadata put
    reflect reflect._app_reader reflect._composer reflect._context reflect._reader reflect._types reflect_all
    reflect_controller reflect_encoder reflect_exception_handlers reflect_guards reflect_injectable
    reflect_interceptors reflect_middlewares reflect_module reflect_routes reflect_user_metadata
    reflect_ws_controller reflect_ws_messages serialization sessions set_metadata signals socketio
    socketio_controller sse static_files streaming testing types.AppState types.CallHandler types.CallNext
    types.ClientInfo types.Discriminated types.ExecutionContext types.GuardProtocol types.Headers
    types.InterceptorProtocol types.MiddlewareProtocol types.MutableHeaders types.Request types.Response
    types.ServerInfo types.State use_encoder use_exception_handlers use_guards use_interceptors
    use_middlewares websockets ws_controller
    """.split()
)
