# A webhook receiver in Ruby 2.7 or later. WEBrick is a gem since Ruby 3.0: gem install webrick
#   SIGNING_SECRET=whsec_… PORT=4000 ruby docs/examples/receiver.rb
require 'json'
require 'openssl'
require 'webrick'

# During a rotation there may be two secrets: SIGNING_SECRET=whsec_new,whsec_old
SECRETS = ENV.fetch('SIGNING_SECRET', '').split(',', -1)
# An empty secret is one that everybody knows: the receiver does not start with it.
if SECRETS.empty? || !SECRETS.all? { |secret| secret.match?(%r{\Awhsec_[A-Za-z0-9+/]{20,}={0,2}\z}) }
  abort 'Set SIGNING_SECRET to the signing secret of the destination (whsec_…).'
end

# Refuse older deliveries: somebody may have recorded them.
TOLERANCE_SECONDS = 300
# The service never sends a longer body.
BODY_BYTES_MAX = 1024 * 1024

# Returns nil if the body comes from the service, unchanged, and was sent just now; else the fault.
def find_fault(request, body)
  id = request['webhook-id'].to_s
  timestamp = request['webhook-timestamp'].to_s
  signatures = request['webhook-signature'].to_s
  if id.empty? || signatures.empty? || !timestamp.match?(/\A[0-9]{1,12}\z/)
    return 'the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?'
  end

  age_seconds = Time.now.to_i - timestamp.to_i
  return 'the request is older than 5 minutes. Is the clock of this machine right?' if age_seconds > TOLERANCE_SECONDS
  return 'the request is more than 5 minutes in the future. Is the clock of this machine right?' if age_seconds < -TOLERANCE_SECONDS

  # One signature for each valid secret, separated by spaces. One that matches is enough.
  given = signatures.split(' ')
  # As bytes: texts of different encodings cannot be joined.
  signed = [id, timestamp, body].map(&:b).join('.')
  genuine = SECRETS.any? do |secret|
    key = secret.delete_prefix('whsec_').unpack1('m')
    expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}"
    # Compares in constant time.
    given.any? { |signature| OpenSSL.secure_compare(signature, expected) }
  end
  genuine ? nil : 'wrong signature. Is SIGNING_SECRET the secret of this destination?'
end

# Ids of the events that were handled: an event may come again. Keep them in your database.
HANDLED = {}

# Answer within 15 seconds: put slow work into a queue.
def handle(event)
  again = HANDLED.key?(event['id']) ? ' again' : ''
  HANDLED[event['id']] = true
  puts "#{event['type']} #{event['id']}#{again}"
end

$stdout.sync = true
server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1',
  Port: Integer(ENV.fetch('PORT', '4000')),
  Logger: WEBrick::Log.new(File::NULL),
  AccessLog: [],
  StartCallback: -> { puts "listening on http://127.0.0.1:#{server.listeners[0].local_address.ip_port}" }
)
server.mount_proc('/') do |request, response|
  # Verify the bytes as they came. JSON that is parsed and written again has other bytes.
  body = +''.b
  request.body { |chunk| body << chunk if body.bytesize <= BODY_BYTES_MAX }
  if body.bytesize > BODY_BYTES_MAX
    response.status = 413
  elsif (fault = find_fault(request, body))
    response.status = 401
    puts "refused: #{fault}"
  else
    handle(JSON.parse(body.force_encoding('UTF-8')))
    response.status = 204
  end
end
%w[INT TERM].each { |signal| trap(signal) { server.shutdown } }
server.start
