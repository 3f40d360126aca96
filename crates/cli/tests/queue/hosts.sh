# Runs a server, a driver and two workers on separate hosts: network namespaces that are joined by pairs of interfaces.
# The environment has the programs NATS_SERVER and LOYD, and the current folder has the certificates, nats.conf and
# boards.txt. Writes the answers to `queued`, and messages to files that end in `.log`.
set -eu
mount -t tmpfs tmpfs /run
ip netns add server
number=0
for host in driver first second; do
    number=$((number + 1))
    ip netns add "$host"
    ip link add "to-$host" netns server type veth peer name eth0 netns "$host"
    ip -n server address add "10.77.$number.1/24" dev "to-$host"
    ip -n server link set "to-$host" up
    ip -n "$host" address add "10.77.$number.2/24" dev eth0
    ip -n "$host" link set eth0 up
done
[ "${1-}" != try ] || exit 0

# Ends with a status that no command of Loyd has.
fail() {
    echo "not so: $*" >&2
    exit 9
}
# Fails if a command is not true within a minute.
until_so() {
    for _ in $(seq 600); do
        if "$@"; then return; fi
        sleep 0.1
    done
    fail "$@"
}
answered() { [ -f queued ] && [ "$(wc -l <queued)" -ge "$1" ]; }
logged() { grep -q "$1" "$2"; }

ip netns exec server "$NATS_SERVER" -c nats.conf 2>server.log &
until_so logged 'Server is ready' server.log
access='--tls-ca ca.pem --credentials client.pem'

# Boards do not leave a host unencrypted.
for address in nats://10.77.2.1:4222 'nats://10.77.2.1:4222 --credentials client.pem'; do
    status=0
    ip netns exec first "$LOYD" work $address 2>plain.log || status=$?
    [ "$status" = 2 ] || fail "status $status"
    logged 'nats:// is not encrypted' plain.log || fail "$(cat plain.log)"
done

for place in 'first 2' 'second 3'; do
    set -- $place
    ip netns exec "$1" "$LOYD" work "tls://10.77.$2.1:4222" $access --threads 1 --ack-wait 1s 2>"$1.log" &
done
ip netns exec driver "$LOYD" solve -f boards.txt $SEARCH --save queued --on tls://10.77.1.1:4222 $access 2>driver.log &
driver=$!
until_so answered 20
# One worker loses its network, and then the driver.
ip -n first link set eth0 down
until_so answered 60
ip -n driver link set eth0 down
sleep 2
ip -n driver link set eth0 up
wait "$driver"
